"""Chooses its device in a function that runs too early."""
import os

import tensorflow as tf
import horovod.tensorflow.keras as hvd


def choose_device():
    os.environ["CUDA_VISIBLE_DEVICES"] = str(hvd.local_rank())


def main():
    choose_device()
    hvd.init()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer=hvd.DistributedOptimizer(tf.optimizers.SGD(0.1)))


if __name__ == "__main__":
    main()
