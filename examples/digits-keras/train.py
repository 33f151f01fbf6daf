"""Trains a small convolutional network on handwritten digits with Horovod and Keras."""

import argparse
import os
from pathlib import Path

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

try:
    from bai.metrics import report
except ImportError:  # a plain Horovod run, in an environment without bai

    def report(**values: float) -> None:
        """Do nothing."""


def digits(*, rank: int, size: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return this rank's share of (train, test), each images (n, 8, 8, 1) and labels (n,)."""
    data = load_digits()
    images = data.images[..., np.newaxis].astype("float32") / 16
    order = np.random.default_rng(0).permutation(len(data.target))
    train, test = np.split(order, [len(order) * 4 // 5])
    # Every rank takes the same number of training images, so that all make the same steps.
    train = train[: len(train) // size * size]
    return (
        [images[train[rank::size]], data.target[train[rank::size]]],
        [images[test[rank::size]], data.target[test[rank::size]]],
    )


def network() -> tf.keras.Model:
    """Return the model: images (n, 8, 8, 1) to scores (n, 10)."""
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Input((8, 8, 1)),
            layers.Conv2D(16, 3, padding="same", activation="relu"),
            layers.Conv2D(32, 3, padding="same", activation="relu"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
            layers.Dense(10),
        ]
    )


class Training:
    """Steps of all ranks together; works with any Keras, as no optimizer is wrapped."""

    def __init__(self, model: tf.keras.Model, optimizer: tf.keras.optimizers.Optimizer) -> None:
        """Train a model that is the same on all ranks."""
        self._model = model
        self._optimizer = optimizer
        self._loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(self, images: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """Learn from a batch, images (n, 8, 8, 1) and labels (n,); return the loss, averaged."""
        with tf.GradientTape() as tape:
            loss = self._loss(labels, self._model(images, training=True))
        variables = self._model.trainable_variables
        gradients = hvd.grouped_allreduce(tape.gradient(loss, variables))
        self._optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return hvd.allreduce(loss)

    @tf.function
    def accuracy(self, images: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """Return the share of right answers, averaged over the ranks."""
        found = tf.argmax(self._model(images), axis=1)
        return hvd.allreduce(tf.reduce_mean(tf.cast(found == labels, tf.float32)))


def main() -> None:
    """Train, and report the test accuracy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=32, help="images per rank and step")
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    options = parser.parse_args()

    hvd.init()
    tf.keras.utils.set_random_seed(1)
    train, test = digits(rank=hvd.rank(), size=hvd.size())
    print(f"rank {hvd.rank()} of {hvd.size()} trains on {len(train[1])} images", flush=True)

    model = network()
    optimizer = tf.keras.optimizers.Adam(options.learning_rate * hvd.size())
    model.set_weights([hvd.broadcast(each, root_rank=0).numpy() for each in model.get_weights()])
    training = Training(model, optimizer)
    batches = tf.data.Dataset.from_tensor_slices(tuple(train)).shuffle(len(train[1]), seed=1)
    for epoch in range(1, options.epochs + 1):
        losses = [training.step(*batch) for batch in batches.batch(options.batch_size)]
        loss, accuracy = float(np.mean(losses)), float(training.accuracy(*test))
        if hvd.rank() == 0:
            print(f"epoch {epoch:2}  loss {loss:.4f}  test accuracy {accuracy:.4f}", flush=True)
            report(step=epoch, total=options.epochs, loss=loss, accuracy=accuracy)

    if hvd.rank() == 0:
        path = Path(os.environ.get("AZ_BATCHAI_OUTPUT_MODEL", ".")) / "model.keras"
        model.save(path)
        print(f"saved the model to {path}")
    hvd.shutdown()


if __name__ == "__main__":
    main()
