"""Variables have the names of Horovod's functions."""
import os

import tensorflow as tf
import horovod.tensorflow.keras as hvd
from horovod.tensorflow.keras import local_rank, rank, size

hvd.init()
rank = rank()
local = local_rank()


def train(model, size):
    for step in range(100 // size):
        model.train_on_batch(tf.ones((2, 2)), tf.ones((2, 1)))
        if rank == 0 and step % 10 == 0:
            print(step * size)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.optimizers.SGD(0.1 * hvd.size())), "mse")
train(model, size=size())
if rank == 0:
    model.save(os.environ["AZ_BATCHAI_OUTPUT_MODEL"] + "/model.h5")
