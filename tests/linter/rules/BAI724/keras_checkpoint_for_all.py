"""The callback that saves is in the list of every rank."""
import os

import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=hvd.DistributedOptimizer(tf.optimizers.SGD(0.1 * hvd.size())))
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    tf.keras.callbacks.ModelCheckpoint(os.environ["AZ_BATCHAI_OUTPUT_MODEL"] + "/best.h5"),
]
model.fit(tf.ones((8, 2)), tf.ones((8, 1)), callbacks=callbacks, verbose=hvd.rank() == 0)
