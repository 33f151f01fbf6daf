"""Takes gradients from TensorFlow's tape and not from Horovod's."""
import os

import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.optimizers.Adam(0.001 * hvd.size())


@tf.function
def step(samples):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(samples) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for _ in range(100):
    step(tf.random.normal([8, 4]))
if hvd.rank() == 0:
    model.save_weights(os.path.join(os.environ["AZ_BATCHAI_OUTPUT_MODEL"], "model.h5"))
