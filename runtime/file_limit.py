"""The size that the files of a process may have: `ulimit -f` of the shell that started it."""

from __future__ import annotations

import errno
import resource

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def way_out(number: int | None) -> str:
    """Return the sentence about what to do after a failed write, behind its reason; mostly nothing.

    Args:
        number: the error's `errno`.
    """
    if number in NO_ROOM:
        return ". Free some space and run it again"
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if number == errno.EFBIG and limit != resource.RLIM_INFINITY:
        return f". Files may not exceed {limit} bytes here: raise `ulimit -f` and run it again"
    return ""
