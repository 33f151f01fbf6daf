"""The size that the files of a process may have: `ulimit -f` of the shell that started it."""

from __future__ import annotations

import errno
import resource
from collections.abc import Iterable
from pathlib import Path

_STEP = 1 << 16
"""Bytes by which a database grows at once, at most."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def way_out(number: int | None) -> str:
    """Return the sentence about what to do after a failed write, behind its reason; mostly nothing.

    Args:
        number: the error's `errno`.
    """
    if number in NO_ROOM:
        return ". Free some space and run it again"
    limit = _limit()
    if number == errno.EFBIG and limit is not None:
        return f". Files may not exceed {limit} bytes here: raise `ulimit -f` and run it again"
    return ""


def reached(files: Iterable[Path]) -> int | None:
    """Return the limit, if one of these files can't grow because of it; None if there is none."""
    limit = _limit()
    sizes = [file.stat().st_size for file in files if file.exists()]
    return limit if limit is not None and max(sizes, default=0) + _STEP > limit else None


def _limit() -> int | None:
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    return None if limit == resource.RLIM_INFINITY else limit
