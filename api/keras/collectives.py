"""Operations on the values of all ranks, from and to numpy."""

from __future__ import annotations

from typing import Any

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf
from numpy.typing import ArrayLike, NDArray


def allreduce(value: ArrayLike, name: str | None = None, op: int = hvd.Average) -> NDArray[Any]:
    """Return the average of a value over all ranks, or another reduction: `hvd.Sum`, `Min`, `Max`.

    Args:
        value: a number or an array, of the same shape and type on all ranks.
        name: of the operation, the same on all ranks; by default they are counted.
        op: which reduction.
    """
    return np.asarray(hvd.allreduce(tf.convert_to_tensor(value), name=name, op=op))


def allgather(value: ArrayLike, name: str | None = None) -> NDArray[Any]:
    """Return the arrays of all ranks, joined along their first axis.

    Args:
        value: an array; the shapes of the ranks may differ in the first axis only.
        name: of the operation, the same on all ranks; by default they are counted.
    """
    return np.asarray(hvd.allgather(tf.convert_to_tensor(value), name=name))


def broadcast(value: ArrayLike, root_rank: int, name: str | None = None) -> NDArray[Any]:
    """Return the value of one rank on all of them.

    Args:
        value: a number or an array, of the same shape and type on all ranks.
        root_rank: whose value it will be.
        name: of the operation, the same on all ranks; by default they are counted.
    """
    return np.asarray(hvd.broadcast(tf.convert_to_tensor(value), root_rank, name=name))
