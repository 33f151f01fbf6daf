"""Trains a network on synthetic images with Horovod and TensorFlow, and says how fast."""

import horovod.tensorflow as hvd
import tensorflow as tf
from measuring import header, measure
from models_tensorflow import MODELS
from options import SHAPES, read_options

from bai.training import digest, require_identical

WEIGHT_DECAY = 4e-5
"""That of tf_cnn_benchmarks."""
LEARNING_RATE = 0.01


def main() -> None:
    """Train, and check that all ranks have the same weights in the end."""
    options = read_options()
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    if hvd.rank() == 0:
        version = ".".join(tf.__version__.split(".")[:2])
        kind = "gpu" if gpus else "cpu"
        print(header(options, f"TensorFlow: {version}", kind, "NHWC", hvd.size()))
        print("Generating model", flush=True)

    # Synthetic data, other on each rank.
    tf.keras.utils.set_random_seed(hvd.rank())
    shape = SHAPES[options.model]
    images = tf.random.normal((options.batch_size, shape.size, shape.size, 3))
    labels = tf.random.uniform((options.batch_size,), 0, shape.classes, tf.int64)

    model = MODELS[options.model](shape)
    momentum = 0.9 if options.optimizer == "momentum" else 0.0
    optimizer = tf.keras.optimizers.SGD(LEARNING_RATE, momentum)
    optimizer.build(model.trainable_variables)
    hvd.broadcast_variables([v.value for v in model.variables + optimizer.variables], root_rank=0)

    @tf.function
    def step() -> tf.Tensor:
        with tf.GradientTape() as tape:
            scores = model(images, training=True)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, scores)
            squares = [tf.nn.l2_loss(weight) for weight in model.trainable_variables]
            loss = tf.reduce_mean(losses) + WEIGHT_DECAY * tf.add_n(squares)
        gradients = tape.gradient(loss, model.trainable_variables)
        # Keras 3 has an optimizer that Horovod's own wrapper does not know.
        optimizer.apply(hvd.grouped_allreduce(gradients), model.trainable_variables)
        return loss

    measure(lambda: float(step()), options, hvd.rank(), hvd.size())

    weights = digest([weight.numpy() for weight in model.trainable_variables])
    require_identical(hvd.allgather_object(weights))
    if hvd.rank() == 0:
        print(f"weights are identical on all {hvd.size()} ranks: {weights}", flush=True)


if __name__ == "__main__":
    main()
