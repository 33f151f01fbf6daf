"""Callbacks that have the ranks train together, and that save and report what they do."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import horovod.tensorflow as hvd
import keras
import numpy as np

from bai.keras.collectives import allreduce, broadcast
from bai.keras.learning_rate import LearningRateScheduleCallback, LearningRateWarmupCallback
from bai.keras.optimizer import load_model, require_servable
from bai.metrics import report
from bai.training import Checkpoints

__all__ = [
    "BroadcastGlobalVariablesCallback",
    "Checkpoint",
    "LearningRateScheduleCallback",
    "LearningRateWarmupCallback",
    "MetricAverageCallback",
    "Report",
]

_MODEL = "model.keras"


class BroadcastGlobalVariablesCallback(keras.callbacks.Callback):
    """Gives all ranks the weights and the optimizer's state of one of them, when training begins.

    Where a model has no weights before its first batch, they are sent after that batch. States of
    random generators are not sent: each rank drops out units and augments images in its own way.
    """

    def __init__(self, root_rank: int) -> None:
        """Send what a rank has."""
        super().__init__()
        self._root = root_rank
        self._done = False

    def on_train_begin(self, logs: dict[str, float] | None = None) -> None:  # noqa: ARG002
        """Send the state, if the models of all ranks have one.

        Raises:
            ValueError: a model can't be trained by several ranks.
        """
        require_servable(self.model)
        self._done = False
        if allreduce(np.int32(self.model.built), op=hvd.Min):
            optimizer = self.model.optimizer
            if not optimizer.built:
                optimizer.build(self.model.trainable_variables)
            self._broadcast()

    def on_train_batch_end(self, batch: int, logs: dict[str, float] | None = None) -> None:  # noqa: ARG002
        """Send the state after the first batch, if that was not done before."""
        if not self._done:
            self._broadcast()

    def _broadcast(self) -> None:
        for number, variable in enumerate([*self.model.weights, *self.model.optimizer.variables]):
            variable.assign(broadcast(variable.value, self._root, name=f"bai.state.{number}"))
        self._done = True


class MetricAverageCallback(keras.callbacks.Callback):
    """Averages an epoch's metrics over the ranks, for the callbacks after it and the history."""

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:  # noqa: ARG002
        """Put averages in the place of this rank's metrics."""
        if logs:
            names = sorted(logs)
            averages = allreduce(np.array([logs[name] for name in names], np.float64))
            logs.update(zip(names, averages.tolist(), strict=True))


class Report(keras.callbacks.Callback):
    """Reports the metrics of each epoch from rank 0, as `bai.metrics.report` does."""

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Report an epoch."""
        if hvd.rank() == 0:
            report(step=epoch + 1, total=self.params["epochs"], rank=0, **(logs or {}))


class Checkpoint(keras.callbacks.Callback):
    """Saves the model with its optimizer's state after each epoch, from rank 0, and loads it."""

    def __init__(self, folder: str | os.PathLike[str], *, keep: int = 1) -> None:
        """Save in a folder that all ranks see, or all nodes have mounted.

        Args:
            folder: of this training alone; the first checkpoint makes it.
            keep: how many checkpoints are kept.
        """
        super().__init__()
        self._checkpoints = Checkpoints(folder, keep=keep)
        # Rank 0 says which one it is: another rank may look later, or at an older listing.
        epoch, path = hvd.broadcast_object(self._checkpoints.newest() or (0, None), root_rank=0)
        self._path: Path | None = path
        self.initial_epoch: int = epoch
        """Epochs that were trained before; the same on all ranks."""

    def load_or(self, build: Callable[[], keras.Model]) -> keras.Model:
        """Return the model of the newest checkpoint, or else what `build` returns.

        Raises:
            ValueError: the checkpoint can't be loaded, or is not where this rank looks.
        """
        return load_model(self._path / _MODEL) if self._path else build()

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:  # noqa: ARG002
        """Save an epoch."""
        if hvd.rank() == 0:
            self._checkpoints.save(epoch + 1, self._write)

    def _write(self, folder: Path) -> None:
        folder.mkdir()
        self.model.save(folder / _MODEL)
