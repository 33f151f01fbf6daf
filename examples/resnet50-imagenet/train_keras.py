"""Trains ResNet-50 on ImageNet's folders or synthetic images with Horovod and Keras."""

import argparse
import itertools
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf
from batches import Loader
from options import checkpoint_folder, learning_rate, loaders, read_options
from resnet_keras import cross_entropy, resnet50, sgd
from results import Epoch, hits

import bai.keras as hvd
from bai.keras import callbacks
from bai.training import digest, require_identical


@keras.saving.register_keras_serializable()
class Seen(keras.metrics.Sum):
    """How many images have a weight."""

    def update_state(self, labels, scores, sample_weight=None) -> None:  # noqa: ARG002
        """Count those of a batch."""
        super().update_state(keras.ops.cast(sample_weight > 0, "float32"))


def compiled(options: argparse.Namespace, classes: int) -> keras.Model:
    """Return the network, ready to train."""
    model = resnet50(classes, options.image_size)
    model.compile(
        hvd.DistributedOptimizer(sgd(options.learning_rate)),
        cross_entropy(options.label_smoothing, reduction="sum_over_batch_size"),
        weighted_metrics=[Seen(name="seen")],
        jit_compile=False,  # XLA has no Horovod operations
    )
    return model


def batches(
    loader: Loader, first: int, seed: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Load epoch after epoch: images (n, h, w, 3), labels (n, classes) and weights (n,)."""
    for epoch in itertools.count(first):
        for batch in loader.training(epoch, seed):
            labels = keras.utils.to_categorical(batch.labels, loader.images.classes)
            yield batch.images, labels, batch.weights


class Validation(keras.callbacks.Callback):
    """Tests the model with all validation images after each epoch."""

    def __init__(self, loader: Loader, training: Loader) -> None:
        """Test with what one loader loads a model that is trained with the other."""
        super().__init__()
        self._loader = loader
        self._training = training
        self._start = 0.0
        self.result: Epoch | None = None
        """The last epoch."""

    def on_epoch_begin(self, epoch: int, logs: dict[str, float] | None = None) -> None:  # noqa: ARG002
        """Begin to take the time."""
        self._start = time.perf_counter()

    def on_epoch_end(self, epoch: int, logs: dict[str, float]) -> None:
        """Test, with metrics that were averaged over all ranks."""
        seconds = time.perf_counter() - self._start
        # The statistics of batch normalizations, which are no weights that the optimizer changes.
        for variable in self.model.non_trainable_weights:
            variable.assign(hvd.allreduce(variable.value))
        sums = np.zeros(3)
        for batch in self._loader.validation():
            scores = self.model.predict_on_batch(batch.images)
            sums += hits(scores, batch.labels, batch.weights)
        total = hvd.allreduce(sums, op=hvd.Sum)
        seen = round(logs["seen"] * hvd.size())
        self.result = Epoch(epoch + 1, logs["loss"], seen, seconds, np.array(total))
        counts = (len(self._training.images.labels), len(self._loader.images.labels))
        self.result.require_each_once(*counts)


class Report(keras.callbacks.Callback):
    """Says from rank 0 how an epoch went."""

    def __init__(self, validation: Validation) -> None:
        """Report what was tested."""
        super().__init__()
        self._validation = validation

    def on_epoch_end(self, epoch: int, logs: dict[str, float]) -> None:  # noqa: ARG002
        """Print and report the epoch."""
        if hvd.rank() == 0:
            self._validation.result.show(self.params["epochs"])


def main() -> None:
    """Train, and save the model."""
    options = read_options(__doc__)
    hvd.init()
    if gpus := tf.config.list_physical_devices("GPU"):
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    keras.utils.set_random_seed(options.seed)
    loader, validation = loaders(options, hvd.rank(), hvd.size())
    folder = checkpoint_folder(options, "keras")
    checkpoint = callbacks.Checkpoint(folder)
    model = checkpoint.load_or(lambda: compiled(options, loader.images.classes))
    first = checkpoint.initial_epoch
    tests = Validation(validation, loader)
    if first and hvd.rank() == 0:
        print(f"going on after epoch {first}, from {folder}", flush=True)

    model.fit(
        batches(loader, first, options.seed),
        steps_per_epoch=loader.steps,
        initial_epoch=first,
        epochs=options.epochs,
        verbose=0,
        shuffle=False,
        callbacks=[
            callbacks.BroadcastGlobalVariablesCallback(0),
            callbacks.LearningRateScheduleCallback(
                1.0, lambda epoch: learning_rate(options, epoch, hvd.size()), staircase=False
            ),
            callbacks.MetricAverageCallback(),
            tests,
            checkpoint,
            Report(tests),  # of an epoch that no kill can take back any more
        ],
    )

    mine = digest(model.get_weights())
    require_identical(hvd.allgather_object(mine))
    if hvd.rank() == 0:
        print(f"weights are identical on all {hvd.size()} ranks: {mine}")
        path = Path(os.environ.get("AZ_BATCHAI_OUTPUT_MODEL", ".")) / "model.keras"
        model.save(path)
        shutil.rmtree(folder)
        print(f"saved the model to {path}")
    hvd.shutdown()


if __name__ == "__main__":
    main()
