"""Trains a linear model with Horovod and Keras; each process learns from its own samples."""

import horovod.tensorflow as hvd
import tensorflow as tf

try:
    from bai.metrics import report
except ImportError:  # this interpreter has no bai: nothing is reported
    report = dict

EPOCHS = 10

hvd.init()
tf.keras.utils.set_random_seed(hvd.rank())  # other samples in each process
samples = tf.random.normal((2048, 8))
targets = tf.reduce_sum(samples, axis=1, keepdims=True) + tf.random.normal((2048, 1), 0, 0.1)
model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(1)])
weights = model.trainable_variables
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
model.set_weights([hvd.broadcast(each, root_rank=0).numpy() for each in model.get_weights()])
for epoch in range(1, EPOCHS + 1):
    for x, y in zip(tf.split(samples, 32), tf.split(targets, 32), strict=True):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = hvd.grouped_allreduce(tape.gradient(loss, weights))
        optimizer.apply_gradients(zip(gradients, weights, strict=True))
    mean = float(hvd.allreduce(loss))
    if hvd.rank() == 0:
        print(f"epoch {epoch:2}  loss {mean:.4f}", flush=True)
        report(step=epoch, total=EPOCHS, loss=mean)
