"""TensorFlow 2 with a training loop of its own."""
import os

import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.experimental.list_physical_devices("GPU")
if gpus:
    tf.config.experimental.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
loss_of = tf.losses.SparseCategoricalCrossentropy()
opt = tf.optimizers.Adam(0.001 * hvd.size())
checkpoint_dir = os.environ.get("AZ_BATCHAI_OUTPUT_MODEL", "./checkpoints")
checkpoint = tf.train.Checkpoint(model=model, optimizer=opt)
manager = tf.train.CheckpointManager(checkpoint, checkpoint_dir, max_to_keep=3)


@tf.function
def step(images, labels, first):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(images, training=True))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))
    if first:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(opt.variables(), root_rank=0)
    return loss


for batch in range(10000 // hvd.size()):
    value = step(tf.random.normal([8, 4]), tf.zeros([8]), batch == 0)
    if batch % 1000 == 0 and hvd.local_rank() == 0:
        print(batch, value)
    if batch % 1000 == 0 and hvd.rank() == 0:
        manager.save()
if hvd.rank() == 0:
    checkpoint.save(checkpoint_dir)
    model.save_weights(os.path.join(checkpoint_dir, "last"))
