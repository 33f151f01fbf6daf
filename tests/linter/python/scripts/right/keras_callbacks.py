"""Keras with callbacks; only the first rank has the one that saves."""
import math
import os

import keras
import tensorflow as tf
import horovod.keras as hvd
from keras import backend as K

hvd.init()
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(hvd.local_rank())
K.set_session(tf.Session(config=config))
epochs = int(math.ceil(12.0 / hvd.size()))
out = os.environ["AZ_BATCHAI_OUTPUT_MODEL"]

model = keras.models.Sequential([keras.layers.Dense(10)])
optimizer = hvd.DistributedOptimizer(keras.optimizers.Adadelta(1.0 * hvd.size()))
model.compile(loss="categorical_crossentropy", optimizer=optimizer)


class Report(keras.callbacks.Callback):
    def __init__(self, enabled):
        super().__init__()
        self.enabled = enabled

    def on_epoch_end(self, epoch, logs=None):
        if self.enabled:
            self.model.save(os.path.join(out, "epoch.h5"))


callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    Report(hvd.rank() == 0),
]
if hvd.rank() == 0:
    callbacks.append(keras.callbacks.ModelCheckpoint(os.path.join(out, "checkpoint-{epoch}.h5")))
    callbacks += [keras.callbacks.TensorBoard(out)]
verbose = 1 if hvd.rank() == 0 else 0
model.fit(x=None, y=None, callbacks=callbacks, epochs=epochs, verbose=verbose)
score = hvd.allreduce(model.evaluate(None, None)[0])
if verbose:
    model.save(os.path.join(out, "model.h5"))
    print(score)
