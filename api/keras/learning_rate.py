"""Callbacks that change the learning rate as training goes on."""

from __future__ import annotations

from collections.abc import Callable

import horovod.tensorflow as hvd
import keras


class LearningRateScheduleCallback(keras.callbacks.Callback):
    """Multiplies the learning rate, from one epoch to another."""

    def __init__(
        self,
        initial_lr: float,
        multiplier: float | Callable[[float], float],
        start_epoch: int = 0,
        end_epoch: int | None = None,
        *,
        staircase: bool = True,
        steps_per_epoch: int | None = None,
    ) -> None:
        """Set the learning rate to `initial_lr * multiplier(epoch)`.

        Horovod's own callback also corrects the momentum; in Keras 3 that is constant.

        Args:
            initial_lr: the learning rate that is multiplied.
            multiplier: a function of the epoch, or a number whose power it is: of the epochs since
                `start_epoch`.
            start_epoch: the first epoch in which it is set, counted from 0.
            end_epoch: the first epoch in which it is not set any more.
            staircase: set it once in an epoch, or else before each step, at fractions of epochs.
            steps_per_epoch: steps in an epoch, where Keras does not know it.
        """
        super().__init__()
        self._initial = initial_lr
        self._multiplier = multiplier
        self._epochs = (start_epoch, end_epoch)
        self._staircase = staircase
        self._steps = steps_per_epoch
        self._epoch = 0

    def on_train_begin(self, logs: dict[str, float] | None = None) -> None:  # noqa: ARG002
        """Find out how many steps an epoch has.

        Raises:
            ValueError: that is unknown, and fractions of epochs are wanted.
        """
        self._steps = self._steps or self.params.get("steps")
        if not self._staircase and not self._steps:
            name = type(self).__name__
            raise ValueError(f"Keras does not know the steps of an epoch: {name}(steps_per_epoch=)")

    def on_epoch_begin(self, epoch: int, logs: dict[str, float] | None = None) -> None:  # noqa: ARG002
        """Set the learning rate of an epoch."""
        self._epoch = epoch
        if self._staircase:
            self._set(epoch)

    def on_train_batch_begin(self, batch: int, logs: dict[str, float] | None = None) -> None:  # noqa: ARG002
        """Set the learning rate of a step."""
        if not self._staircase and self._steps:
            self._set(self._epoch + batch / self._steps)

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:  # noqa: ARG002
        """Have the learning rate among the metrics of the epoch."""
        if logs is not None:
            logs["learning_rate"] = float(self.model.optimizer.learning_rate)

    def multiple(self, epoch: float) -> float:
        """Return by what the learning rate is multiplied at an epoch, with its fraction."""
        if callable(self._multiplier):
            return self._multiplier(epoch)
        return float(self._multiplier ** (epoch - self._epochs[0]))

    def _set(self, epoch: float) -> None:
        start, end = self._epochs
        if epoch >= start and (end is None or epoch < end):
            self.model.optimizer.learning_rate = self._initial * self.multiple(epoch)


class LearningRateWarmupCallback(LearningRateScheduleCallback):
    """Lets the learning rate grow from that of one process to that of all of them.

    After "Accurate, Large Minibatch SGD" (Goyal et al., 2017), as Horovod's own callback does.
    """

    def __init__(
        self,
        initial_lr: float,
        warmup_epochs: int = 5,
        *,
        steps_per_epoch: int | None = None,
        verbose: int = 0,
    ) -> None:
        """Warm up from `initial_lr / hvd.size()` to `initial_lr`, a little in each step.

        Args:
            initial_lr: that of all ranks together, usually that of one times `hvd.size()`.
            warmup_epochs: epochs after which it is reached.
            steps_per_epoch: steps in an epoch, where Keras does not know it.
            verbose: 1 for a line of rank 0 when it is reached.
        """
        super().__init__(
            initial_lr,
            self._grown,
            end_epoch=warmup_epochs,
            staircase=False,
            steps_per_epoch=steps_per_epoch,
        )
        self._warmup_epochs = warmup_epochs
        self._verbose = verbose

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Say when it is reached."""
        super().on_epoch_end(epoch, logs)
        if self._verbose and epoch == self._warmup_epochs - 1 and hvd.rank() == 0:
            rate = float(self.model.optimizer.learning_rate)
            print(  # noqa: T201
                f"\nEpoch {epoch + 1}: finished gradual learning rate warmup to {rate:g}."
            )

    def _grown(self, epoch: float) -> float:
        # A step is counted when it is made, so that the last one of the warm-up has the whole rate.
        epoch += 1 / (self._steps or 1)
        size = int(hvd.size())
        return (epoch * (size - 1) / self._warmup_epochs + 1) / size
