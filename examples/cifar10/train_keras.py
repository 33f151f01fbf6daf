"""Trains the network of the CIFAR-10 tutorial with Horovod and Keras 3."""

import math
from pathlib import Path

import keras
import numpy as np
from batches import augmented, options, scaled
from cifar10 import Images, load

import bai.keras as hvd
from bai.training import digest, require_identical, share


def network() -> keras.Sequential:
    """Return the model: images (n, 32, 32, 3) to scores (n, 10)."""
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((32, 32, 3)),
            layers.Conv2D(32, 3, padding="same", activation="relu"),
            layers.Conv2D(32, 3, activation="relu"),
            layers.MaxPooling2D(2),
            layers.Dropout(0.25),
            layers.Conv2D(64, 3, padding="same", activation="relu"),
            layers.Conv2D(64, 3, activation="relu"),
            layers.MaxPooling2D(2),
            layers.Dropout(0.25),
            layers.Flatten(),
            layers.Dense(512, activation="relu"),
            layers.Dropout(0.5),
            layers.Dense(10),
        ]
    )


def compiled(learning_rate: float) -> keras.Model:
    """Return the model with its loss, and an optimizer that averages the gradients of all ranks."""
    model = network()
    model.compile(
        optimizer=hvd.DistributedOptimizer(keras.optimizers.RMSprop(learning_rate)),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        weighted_metrics=["accuracy"],
        jit_compile=False,
    )
    return model


class Share(keras.utils.PyDataset):
    """This rank's share of the images in each epoch, augmented.

    All ranks make as many steps of as many images: where a share is smaller, images without weight
    fill the last batch.
    """

    def __init__(self, images: Images, *, batch_size: int, seed: int, epoch: int) -> None:
        """Begin with the share of an epoch, counted from 0."""
        super().__init__()
        self._images = images
        self._batch_size = batch_size
        self._seed = seed
        self._epoch = epoch
        self._length = math.ceil(len(images.labels) / hvd.size())
        self._begin()

    def __len__(self) -> int:
        """Return the steps of an epoch."""
        return math.ceil(self._length / self._batch_size)

    def __getitem__(self, step: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return a batch: images (n, 32, 32, 3), labels (n,), weights (n,)."""
        batch = slice(step * self._batch_size, (step + 1) * self._batch_size)
        part, weights = self._part[batch], self._weights[batch]
        self._seen[step] = int(weights.sum())
        random = np.random.default_rng((self._seed, self._epoch, hvd.rank(), step))
        pixels = augmented(self._images.pixels[part], random)
        return scaled(pixels), self._images.labels[part], weights

    def on_epoch_end(self) -> None:
        """Go on to the next epoch."""
        self._epoch += 1
        self._begin()

    @property
    def seen(self) -> int:
        """Images of the epoch that were trained on so far."""
        return sum(self._seen.values())

    def _begin(self) -> None:
        count = len(self._images.labels)
        part = share(count, rank=hvd.rank(), size=hvd.size(), seed=(self._seed, self._epoch))
        self._part = np.resize(part, self._length)
        self._weights = (np.arange(self._length) < len(part)).astype(np.float32)
        self._seen: dict[int, int] = {}


class Epochs(keras.callbacks.Callback):
    """Requires that the ranks have seen each image once, and says how the epoch went."""

    def __init__(self, images: Share, count: int) -> None:
        """Ask the data set of this rank; there are `count` images in all."""
        super().__init__()
        self._images = images
        self._count = count
        self._seen = 0

    def on_train_batch_end(self, batch: int, logs: dict[str, float] | None = None) -> None:  # noqa: ARG002
        """Count before the data set goes on to the next epoch."""
        self._seen = self._images.seen

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Print a line from rank 0."""
        seen = int(hvd.allreduce(float(self._seen), op=hvd.Sum))
        if seen != self._count:
            raise RuntimeError(f"{seen} images were seen, and there are {self._count}")
        if hvd.rank() == 0:
            print(
                f"epoch {epoch + 1} of {self.params['epochs']}  {seen} images seen once"
                f"  loss {logs['loss']:.4f}  test accuracy {logs['val_accuracy']:.4f}",
                flush=True,
            )


def save_model(model: keras.Model, path: Path) -> None:
    """Write the model so that the file is whole whenever it is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_stem(f".{path.stem}")
    model.save(part)
    part.replace(path)
    print(f"saved the model to {path}")


def main() -> None:
    """Train from the newest checkpoint on, and save the model."""
    chosen = options(__doc__)
    hvd.init()
    keras.utils.set_random_seed(chosen.seed + hvd.rank())  # Ranks drop out other units.
    data = load(chosen.dir / "data")
    learning_rate = chosen.learning_rate * hvd.size()
    checkpoint = hvd.callbacks.Checkpoint(chosen.dir / "checkpoints/keras")
    model = checkpoint.load_or(lambda: compiled(learning_rate))
    if hvd.rank() == 0 and checkpoint.initial_epoch:
        print(f"resumes after epoch {checkpoint.initial_epoch}", flush=True)

    images = Share(
        data.train,
        batch_size=chosen.batch_size,
        seed=chosen.seed,
        epoch=checkpoint.initial_epoch,
    )
    test = share(len(data.test.labels), rank=hvd.rank(), size=hvd.size(), seed=0)
    model.fit(
        images,
        epochs=chosen.epochs,
        initial_epoch=checkpoint.initial_epoch,
        validation_data=(scaled(data.test.pixels[test]), data.test.labels[test]),
        callbacks=[
            hvd.callbacks.BroadcastGlobalVariablesCallback(0),
            hvd.callbacks.MetricAverageCallback(),
            hvd.callbacks.LearningRateWarmupCallback(learning_rate, chosen.warmup_epochs),
            Epochs(images, len(data.train.labels)),
            hvd.callbacks.Report(),
            checkpoint,
        ],
        verbose=0,
    )

    digests = hvd.allgather_object(digest(model.get_weights()))
    require_identical(digests)
    if hvd.rank() == 0:
        print(f"weights are identical on all {hvd.size()} ranks: {digests[0]}")
        save_model(model, chosen.dir / "saved_models/keras_cifar10_trained_model.keras")
    hvd.shutdown()


if __name__ == "__main__":
    main()
