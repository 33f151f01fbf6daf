"""A command line made with absl."""
from absl import app, flags
import tensorflow as tf
import horovod.tensorflow.keras as hvd

FLAGS = flags.FLAGS
flags.DEFINE_string("output_dir", None, "Where the model goes.")


def is_chief():
    return hvd.rank() == 0


def main(argv):
    del argv
    hvd.init()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer=hvd.DistributedOptimizer(tf.optimizers.SGD(0.1)))
    model.fit(tf.ones((8, 2)), tf.ones((8, 1)), verbose=int(is_chief()))
    if is_chief():
        tf.saved_model.save(model, FLAGS.output_dir)
        with tf.io.gfile.GFile(FLAGS.output_dir + "/flags.txt", "w") as file:
            file.write(FLAGS.flags_into_string())


if __name__ == "__main__":
    app.run(main)
