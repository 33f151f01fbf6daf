"""Broadcasts the first weights by a callback, and trains with Keras' own optimizer."""
import os

import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.experimental.list_physical_devices("GPU")
if gpus:
    tf.config.experimental.set_visible_devices(gpus[hvd.local_rank()], "GPU")
(images, labels), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
if hvd.rank() == 0:
    path = os.path.join(os.environ["AZ_BATCHAI_OUTPUT_MODEL"], "model.h5")
    callbacks.append(keras.callbacks.ModelCheckpoint(path))
model.fit(images, labels, callbacks=callbacks, epochs=3, verbose=1 if hvd.rank() == 0 else 0)
