"""What a process's output says about the failures of others."""

from __future__ import annotations

import re
from collections.abc import Callable

_SYMPTOM = re.compile(
    rb"HorovodInternalError|Horovod has been shut down|Connection (?:closed|reset) by peer"
    rb"|Broken pipe"
)
_NAMED_RANK = re.compile(
    # Open MPI's mpirun
    rb"MPI_ABORT was invoked on rank (\d+)|Process name: \[\[\d+,\d+\],(\d+)\]"
    # a rank of Intel MPI, and its mpirun
    rb"|Abort\(-?\d+\) on node (\d+) |=   RANK (\d+) PID \d+ RUNNING AT "
)
_LONGEST = 64
"""Bytes of output to keep, since what is looked for may be cut in two."""


def observer(tell: Callable[[int | None], None]) -> Callable[[bytes], None]:
    """Return a function that takes the error output of a process, piece by piece.

    Args:
        tell: called, once for each, with a rank that the output names as failed, or with None if
            it complains of another process.
    """
    rest = b""
    told: set[int | None] = set()

    def observe(data: bytes) -> None:
        nonlocal rest
        text = rest + data
        found: list[int | None] = [None] if _SYMPTOM.search(text) else []
        if match := _NAMED_RANK.search(text):
            found.append(int(match[match.lastindex or 0]))
        for each in found:
            if each not in told:
                told.add(each)
                tell(each)
        rest = text[-_LONGEST:]

    return observe
