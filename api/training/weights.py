"""Whether all ranks have the same weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import ArrayLike

_LENGTH = 16


def digest(arrays: Iterable[ArrayLike]) -> str:
    """Return a short text that is the same for the same arrays, and for no others.

    Args:
        arrays: the weights, in an order that is the same everywhere: numpy arrays, or what numpy
            makes arrays of, such as PyTorch's tensors on the CPU (`model.state_dict().values()`).

    Returns:
        The first 16 hexadecimal digits of the SHA-256 of all shapes, types and values.

    Raises:
        TypeError: an array holds Python objects, which have no bytes of their own.
    """
    found = sha256()
    for each in arrays:
        array = np.asarray(each)
        if array.dtype.hasobject:
            raise TypeError(f"an array of {array.dtype} can't be compared by its bytes")
        found.update(f"{array.shape} {array.dtype.str} ".encode())
        found.update(array.tobytes())
    return found.hexdigest()[:_LENGTH]


def require_identical(digests: Sequence[str]) -> None:
    """Require that the digests of all ranks are the same.

    Args:
        digests: one of each rank, from rank 0 on, as Horovod's `allgather_object` returns them.

    Raises:
        ValueError: some differ from rank 0's; the message names their ranks.
    """
    others = [f"{rank} ({found})" for rank, found in enumerate(digests) if found != digests[0]]
    if others:
        raise ValueError(
            f"the weights of these ranks differ from those of rank 0 ({digests[0]}): "
            + ", ".join(others)
        )
