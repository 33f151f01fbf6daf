"""A training for one machine."""
import os

import tensorflow as tf
from sklearn.datasets import load_digits

digits = load_digits()
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
model.fit(digits.data, digits.target)
model.save(os.environ["AZ_BATCHAI_OUTPUT_MODEL"])
