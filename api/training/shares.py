"""Which samples of a data set a rank trains on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def share(count: int, *, rank: int, size: int, seed: int | Sequence[int]) -> NDArray[np.int64]:
    """Return the indices of the samples of one rank, in the order in which to use them.

    All ranks shuffle the indices in the same way, so that each index is on exactly one of them. The
    parts differ by one at most: the first ranks have one more where `size` does not divide `count`.

    Args:
        count: samples in the data set.
        rank: this process, from 0 to `size` - 1.
        size: processes that train together.
        seed: the same on all ranks; another one in each epoch shuffles anew: `seed=(1, epoch)`.

    Returns:
        The indices, each in `range(count)`.

    Raises:
        ValueError: `count` is negative, or there is no such rank.
    """
    if count < 0:
        raise ValueError(f"count is {count}: a data set has 0 samples or more")
    if not 0 <= rank < size:
        raise ValueError(f"rank is {rank}: ranks of {size} processes are from 0 to {size - 1}")
    return np.random.default_rng(seed).permutation(count)[rank::size]
