"""Files that are not whole yet, kept for the next try when a copy is interrupted."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final
from uuid import uuid4

from bai.runtime.errors import ChecksumError, StorageError

_PREFIX: Final = ".bai-"
_SUFFIX: Final = ".part"


def is_partial(name: str) -> bool:
    """Return whether a file is what an interrupted copy has left."""
    return PurePosixPath(name).name.startswith(_PREFIX) and name.endswith(_SUFFIX)


def new_part(name: str) -> str:
    """Return a name for a file that is to become another one once it is whole."""
    return f"{_PREFIX}{_short(name)}-{uuid4().hex[:12]}{_SUFFIX}"


@contextmanager
def continued(target: Path, source: str, version: str) -> Iterator[BinaryIO]:
    """Give a file to read and to append to, which becomes the target: none is seen half written.

    It begins with what an interrupted copy of the same version has left. If anything is raised, it
    is kept for the next try, unless its content was wrong.

    Args:
        target: the file to make, or to replace.
        source: what is copied.
        version: which version of that: others are not continued, but forgotten.

    Raises:
        OSError: the file can't be made, or not take the target's place.
        StorageError: another process is at it.
    """
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    begin = f"{_PREFIX}{_short(f'{target.name} {source}')}-"
    path = target.with_name(f"{begin}{_short(version)}{_SUFFIX}")
    for other in target.parent.glob(f"{begin}*{_SUFFIX}"):
        if other != path:
            other.unlink(missing_ok=True)
    with _opened(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StorageError(f"another command is copying the same file to {target}") from None
        if not _is_at(file, path):
            # That command has just ended.
            raise StorageError(f"another command has copied the same file to {target}")
        try:
            yield file
            file.flush()
            path.replace(target)
        except BaseException as error:
            if isinstance(error, ChecksumError | OSError) or not file.tell():
                path.unlink(missing_ok=True)
            raise


def _opened(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666), "r+b")


def _is_at(file: BinaryIO, path: Path) -> bool:
    """Return whether an open file is the one at a path: it may have been renamed meanwhile."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _short(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]
