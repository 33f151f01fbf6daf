"""`if hvd.rank():` is taken for the first rank."""
import os

from tensorflow import keras
import horovod.tensorflow.keras as hvd

hvd.init()
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD(0.1)), "mse")
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
if hvd.rank() >= 1:
    callbacks.append(keras.callbacks.ModelCheckpoint(os.environ["AZ_BATCHAI_OUTPUT_MODEL"]))
model.fit([[1.0]], [1.0], callbacks=callbacks)
