"""TensorFlow 1 with a monitored session, which writes its own checkpoints."""
import tensorflow as tf
import horovod.tensorflow as hvd

FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_string("output_dir", "./checkpoints", "where to")
tf.app.flags.DEFINE_integer("steps", 20000, "how many")


def main(_):
    hvd.init()
    images = tf.random_normal([8, 784])
    loss = tf.reduce_mean(tf.layers.dense(images, 1))
    optimizer = hvd.DistributedOptimizer(tf.train.RMSPropOptimizer(0.001 * hvd.size()))
    step = tf.train.get_or_create_global_step()
    train = optimizer.minimize(loss, global_step=step)
    hooks = [
        hvd.BroadcastGlobalVariablesHook(0),
        tf.train.StopAtStepHook(last_step=FLAGS.steps // hvd.size()),
    ]
    if hvd.rank() == 0:
        hooks.append(tf.train.CheckpointSaverHook(FLAGS.output_dir, save_steps=100))
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = str(hvd.local_rank())
    folder = FLAGS.output_dir if hvd.rank() == 0 else None
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=folder, hooks=hooks, config=config
    ) as session:
        while not session.should_stop():
            session.run(train)


if __name__ == "__main__":
    tf.app.run()
