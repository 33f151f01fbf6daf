"""Copying files and folders: what can be copied is, and the rest is told."""

from __future__ import annotations

import errno
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from bai.runtime.accounts import Place
from bai.runtime.errors import StorageError
from bai.runtime.replacing import replaced

_CHUNK: Final = 1 << 20
"""Bytes that are copied at once."""
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""Errors of a target that will not take the next file either."""
_KINDS: Final = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFBLK: "a device",
    stat.S_IFCHR: "a device",
}


@dataclass(frozen=True, slots=True)
class Uncopied:
    """Something that was not copied."""

    path: Path
    """What it is in the source."""
    reason: str
    """Why, in a few words: `a named pipe`, `Permission denied`."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What became of a copy."""

    files: int
    """How many files were copied."""
    uncopied: tuple[Uncopied, ...] = ()
    """What was not."""


def copy_folder(origin: Place, goal: Place) -> Copied:
    """Copy a folder with all in it: empty folders, too, and links as what they lead to.

    A file is complete at the target or not there at all. What can't be copied is left out.

    Args:
        origin: the folder.
        goal: what becomes the folder's copy; files that are there are replaced.

    Raises:
        OSError: the folder can't be read, or its copy not be made.
        StorageError: the target has no room left. Some files are copied then.
    """
    # All is found first: what is copied may be in the folder, too, through a link.
    found = list(_below(origin, origin.path))
    goal.path.mkdir(parents=True, exist_ok=True)
    count, uncopied = 0, []
    for each in found:
        if isinstance(each, Uncopied):
            uncopied.append(each)
            continue
        target = goal.path / each.relative_to(origin.path)
        try:
            goal.check(target.parent)
            if each.is_dir():
                target.mkdir(parents=True, exist_ok=True)
            else:
                copy_file(each, target)
                count += 1
        except OSError as error:
            reason = error.strerror or str(error)
            if error.errno in _NO_ROOM:
                raise StorageError(f"{reason} (files copied by then: {count})") from None
            uncopied.append(Uncopied(each, _in_the_way(each, target) or reason))
        except StorageError as error:
            uncopied.append(Uncopied(each, str(error)))
    return Copied(count, tuple(uncopied))


def copy_file(source: Path, target: Path) -> None:
    """Copy a file with its mode and times; whatever is raised leaves the target as it was.

    Raises:
        OSError: it can't be read or written.
    """
    with source.open("rb") as file:
        target.parent.mkdir(parents=True, exist_ok=True)
        with replaced(target) as part:
            with part.open("wb") as written:
                _copy_bytes(file, written)
            shutil.copystat(source, part)


def obstacle(path: Path) -> str | None:
    """Return why there is nothing to copy at a path: what it is instead of a file or folder.

    Raises:
        OSError: it can't be looked at.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if path.is_symlink():
            return f"a link to {path.readlink()}, where nothing is"
        raise
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "a link in a circle"
        raise
    return _KINDS.get(stat.S_IFMT(mode))


def _below(
    place: Place, folder: Path, above: frozenset[Path] = frozenset()
) -> Iterator[Path | Uncopied]:
    """Iterate over the files and folders in a folder, a folder before what is in it.

    Raises:
        OSError: the outermost folder can't be read.
    """
    try:
        inner = above | {folder.resolve()}
        paths = sorted(folder.iterdir())
    except OSError as error:
        if not above:
            raise
        yield Uncopied(folder, error.strerror or str(error))
        return
    for path in paths:
        try:
            reason = obstacle(path) or _bad_lead(place, path, inner)
        except OSError as error:
            reason = error.strerror or str(error)
        if reason:
            yield Uncopied(path, reason)
            continue
        yield path
        if path.is_dir():
            yield from _below(place, path, inner)


def _bad_lead(place: Place, path: Path, above: frozenset[Path]) -> str | None:
    """Return why a path may not be followed: it leads out of an account, or around."""
    real = path.resolve()
    if place.account is not None and not real.is_relative_to(place.account.resolve()):
        return "a link out of the storage account"
    return "a link to a folder that it is in" if real in above else None


def _in_the_way(source: Path, target: Path) -> str | None:
    """Return what is at the target that can't be replaced by the source."""
    if source.is_dir():
        return f"a file is at {target}" if target.exists() and not target.is_dir() else None
    return f"a folder is at {target}" if target.is_dir() else None


def _copy_bytes(source: BinaryIO, target: BinaryIO) -> None:
    while chunk := source.read(_CHUNK):
        target.write(chunk)
