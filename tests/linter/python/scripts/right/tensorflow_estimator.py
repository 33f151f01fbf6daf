"""TensorFlow 1 with an estimator."""
import tensorflow as tf
import horovod.tensorflow as hvd


def model_fn(features, labels, mode):
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features["x"], 1))
    optimizer = hvd.DistributedOptimizer(tf.train.MomentumOptimizer(0.001 * hvd.size(), 0.9))
    train = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=train)


def main(unused):
    hvd.init()
    model_dir = "./model" if hvd.rank() == 0 else None
    estimator = tf.estimator.Estimator(model_fn=model_fn, model_dir=model_dir)
    hook = hvd.BroadcastGlobalVariablesHook(0)
    estimator.train(input_fn=lambda: None, steps=500 // hvd.size(), hooks=[hook])


if __name__ == "__main__":
    tf.app.run()
