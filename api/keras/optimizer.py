"""Optimizers that average the gradients of all ranks before they apply them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import horovod.tensorflow as hvd
import keras
import tensorflow as tf

_AVERAGING = "_bai_averages"


def DistributedOptimizer(  # noqa: N802 - Horovod's name
    optimizer: keras.optimizers.Optimizer,
) -> keras.optimizers.Optimizer:
    """Have an optimizer average the gradients of all ranks before it applies them.

    It stays an object of its own class: a model that is saved with it loads with plain Keras.
    Gradients are clipped after they were averaged.

    Args:
        optimizer: one of Keras 3. For mixed precision, one with its loss scaling:
            `DistributedOptimizer(keras.optimizers.LossScaleOptimizer(optimizer))`.

    Returns:
        The same object.

    Raises:
        TypeError: it is no optimizer of Keras 3.
        ValueError: it averages already.
    """
    if not isinstance(optimizer, keras.optimizers.Optimizer):
        raise TypeError(
            f"an optimizer of Keras 3 is expected, such as keras.optimizers.SGD(0.1), and not "
            f"{optimizer!r}"
        )
    if is_averaging(optimizer):
        raise ValueError(f"this {type(optimizer).__name__} is distributed already")
    apply = optimizer.apply

    def apply_averaged(
        grads: Sequence[tf.Tensor | tf.IndexedSlices | None],
        trainable_variables: Sequence[keras.Variable] | None = None,
    ) -> None:
        apply(_averaged(grads), trainable_variables)

    optimizer.apply = apply_averaged
    setattr(optimizer, _AVERAGING, True)
    return optimizer


def is_averaging(optimizer: keras.optimizers.Optimizer) -> bool:
    """Return whether an optimizer averages gradients."""
    return getattr(optimizer, _AVERAGING, False)


def require_servable(model: keras.Model) -> None:
    """Require that a compiled model can be trained by several ranks.

    Raises:
        ValueError: Horovod's operations can't run in it; the message has the way out.
    """
    if model.jit_compile:
        raise ValueError(
            "Horovod's operations can't be compiled by XLA: model.compile(..., jit_compile=False)"
        )
    inner = getattr(model.optimizer, "inner_optimizer", None)
    if inner is not None and is_averaging(inner) and not is_averaging(model.optimizer):
        raise ValueError(
            "ranks would wait for each other where the gradients of only some of them overflow: "
            "write DistributedOptimizer(keras.optimizers.LossScaleOptimizer(optimizer))"
        )


def load_model(
    path: str | os.PathLike[str], custom_objects: Mapping[str, object] | None = None
) -> keras.Model:
    """Load a model that was saved with its optimizer, which averages gradients again.

    Args:
        path: what `model.save` wrote.
        custom_objects: see `keras.models.load_model`.

    Raises:
        ValueError: it was saved without an optimizer, or can't be loaded.
    """
    model = keras.models.load_model(path, custom_objects=custom_objects)
    if getattr(model, "optimizer", None) is None:
        raise ValueError(f"{os.fspath(path)} was saved without an optimizer: compile it first")
    DistributedOptimizer(model.optimizer)
    return model


def _averaged(
    gradients: Sequence[tf.Tensor | tf.IndexedSlices | None],
) -> list[tf.Tensor | None]:
    """Return gradients averaged over all ranks; None where a variable has none."""
    found = [tf.convert_to_tensor(each) for each in gradients if each is not None]
    averages = iter(hvd.grouped_allreduce(found, op=hvd.Average) if found else ())
    return [None if each is None else next(averages) for each in gradients]
