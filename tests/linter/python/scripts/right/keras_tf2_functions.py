"""Keras of TensorFlow 2, in functions that hand over whether to write."""
from pathlib import Path
import os

import tensorflow as tf
import horovod.tensorflow.keras as hvd


def callbacks_for(folder, writes):
    yield hvd.callbacks.BroadcastGlobalVariablesCallback(0)
    yield hvd.callbacks.LearningRateWarmupCallback(initial_lr=0.001 * hvd.size(), warmup_epochs=3)
    if writes:
        yield tf.keras.callbacks.ModelCheckpoint(str(folder / "best.h5"), save_best_only=True)


def build():
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile(optimizer=hvd.DistributedOptimizer(tf.optimizers.SGD(0.001 * hvd.size())))
    return model


def main():
    hvd.init()
    tf.get_logger().setLevel("INFO" if hvd.rank() == 0 else "ERROR")
    folder = Path(os.getenv("AZ_BATCHAI_OUTPUT_MODEL", "."))
    leads = not hvd.rank()
    model = build()
    model.fit(None, callbacks=list(callbacks_for(folder, leads)), verbose=2 * leads)
    if leads:
        model.save(folder / "model")
        (folder / "done.txt").write_text("done")


if __name__ == "__main__":
    main()
