"""Trains a small convolutional network on handwritten digits with Horovod and Keras."""

import argparse
import os
from pathlib import Path

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

try:
    from bai.metrics import report
except ImportError:  # a plain Horovod run, in an environment without bai

    def report(**values: float) -> None:
        """Do nothing."""


def digits(*, rank: int, size: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return this rank's share of (train, test), each images (n, 8, 8, 1) and labels (n,)."""
    data = load_digits()
    images = data.images[..., np.newaxis].astype("float32") / 16
    order = np.random.default_rng(0).permutation(len(data.target))
    train, test = np.split(order, [len(order) * 4 // 5])
    # Every rank takes the same number of training images, so that all make the same steps.
    train = train[: len(train) // size * size]
    return (
        [images[train[rank::size]], data.target[train[rank::size]]],
        [images[test[rank::size]], data.target[test[rank::size]]],
    )


def network() -> tf.keras.Model:
    """Return the model: images (n, 8, 8, 1) to scores (n, 10)."""
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Input((8, 8, 1)),
            layers.Conv2D(16, 3, padding="same", activation="relu"),
            layers.Conv2D(32, 3, padding="same", activation="relu"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
            layers.Dense(10),
        ]
    )


class Report(tf.keras.callbacks.Callback):
    """Reports the metrics of each epoch, which Horovod has averaged over the ranks."""

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Print and report one epoch."""
        loss, accuracy = (logs or {})["loss"], (logs or {})["val_accuracy"]
        print(f"epoch {epoch + 1:2}  loss {loss:.4f}  test accuracy {accuracy:.4f}", flush=True)
        report(step=epoch + 1, total=self.params["epochs"], loss=loss, accuracy=accuracy)


def main() -> None:
    """Train, and report the test accuracy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=32, help="images per rank and step")
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    options = parser.parse_args()

    hvd.init()
    tf.keras.utils.set_random_seed(1)
    train, test = digits(rank=hvd.rank(), size=hvd.size())
    print(f"rank {hvd.rank()} of {hvd.size()} trains on {len(train[1])} images", flush=True)

    model = network()
    optimizer = tf.keras.optimizers.Adam(options.learning_rate * hvd.size())
    model.compile(
        optimizer=hvd.DistributedOptimizer(optimizer),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    if hvd.rank() == 0:
        callbacks.append(Report())
    model.fit(
        *train,
        batch_size=options.batch_size,
        epochs=options.epochs,
        validation_data=test,
        callbacks=callbacks,
        verbose=0,
    )

    if hvd.rank() == 0:
        path = Path(os.environ.get("AZ_BATCHAI_OUTPUT_MODEL", ".")) / "model.keras"
        model.save(path)
        print(f"saved the model to {path}")
    hvd.shutdown()


if __name__ == "__main__":
    main()
