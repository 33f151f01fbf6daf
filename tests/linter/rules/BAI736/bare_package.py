"""Imports the package, and not its part for Keras."""
import tensorflow as tf
import horovod as hvd

hvd.init()
model = tf.keras.applications.ResNet50(weights=None)
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.001 * hvd.size())), "mse")
