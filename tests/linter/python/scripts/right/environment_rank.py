"""The rank is read from the environment before Horovod starts."""
import os

os.environ["CUDA_VISIBLE_DEVICES"] = os.environ.get("OMPI_COMM_WORLD_LOCAL_RANK", "0")
me = int(os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("HOROVOD_RANK", 0)))

import tensorflow as tf  # noqa: E402
import horovod.tensorflow.keras as hvd  # noqa: E402

hvd.init()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=hvd.DistributedOptimizer(tf.optimizers.SGD(0.1)))
model.fit(tf.ones((8, 2)), tf.ones((8, 1)))
if me == 0:
    model.save(os.environ["AZ_BATCHAI_OUTPUT_MODEL"])
