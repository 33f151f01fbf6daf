"""Every rank gives its session the same folder."""
import tensorflow as tf
import horovod.tensorflow as hvd


def main(_):
    hvd.init()
    hooks = [hvd.BroadcastGlobalVariablesHook(0)]
    with tf.train.MonitoredTrainingSession(checkpoint_dir="./checkpoints", hooks=hooks) as session:
        while not session.should_stop():
            session.run(tf.no_op())


tf.app.run()
