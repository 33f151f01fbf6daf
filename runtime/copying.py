"""Copies files and folders, and reports what could not be copied."""

from __future__ import annotations

import contextlib
import errno
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bai.runtime.accounts import Place
from bai.runtime.errors import StorageError
from bai.specs.replacing import replaced

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


@dataclass(slots=True)
class Progress:
    """How far a copy is."""

    all_files: int
    all_bytes: int
    """Of the files as they were when the copy began."""
    files: int = 0
    bytes: int = 0


Watch = Callable[[Progress], None]
"""Called with the progress of a copy as it grows: always the same object."""


def copy_folder(origin: Place, goal: Place, watch: Watch | None = None) -> Copied:
    """Copy a folder with all in it: empty folders, too, and links as what they lead to.

    A file is complete at the target or not there at all. What can't be copied is left out.

    Args:
        origin: the folder.
        goal: the copy of the folder; files that exist there are replaced.
        watch: called with the progress.

    Raises:
        OSError: the folder can't be read, or its copy not be made.
        StorageError: the target has no room left. Some files are copied then.
    """
    # All is found first: what is copied may be in the folder, too, through a link.
    found = list(_below(origin, origin.path))
    goal.path.mkdir(parents=True, exist_ok=True)
    meter = _Meter(watch, (path for path in found if isinstance(path, Path)))
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
                _copy_file(each, target, meter)
                count += 1
        except OSError as error:
            reason = error.strerror or str(error)
            if error.errno in _NO_ROOM:
                raise StorageError(f"{reason} (files copied by then: {count})") from None
            uncopied.append(Uncopied(each, _in_the_way(each, target) or reason))
        except StorageError as error:
            uncopied.append(Uncopied(each, str(error)))
    return Copied(count, tuple(uncopied))


def copy_file(source: Path, target: Path, watch: Watch | None = None) -> None:
    """Copy a file with its mode and times; if this raises, the target is unchanged.

    Args:
        source: the file.
        target: its copy.
        watch: called with the progress.

    Raises:
        OSError: it can't be read or written.
    """
    _copy_file(source, target, _Meter(watch, [source]))


class _Meter:
    """Counts what is copied, and reports the progress."""

    def __init__(self, watch: Watch | None, paths: Iterable[Path]) -> None:
        """Count from the beginning of a copy of these files and folders."""
        self._watch = watch
        self._progress = Progress(0, 0)
        for path in paths if watch else ():
            with contextlib.suppress(OSError):
                status = path.stat()
                if not stat.S_ISDIR(status.st_mode):
                    self._progress.all_files += 1
                    self._progress.all_bytes += status.st_size

    def add(self, *, files: int = 0, size: int = 0) -> None:
        """Add what has just been copied."""
        if self._watch:
            self._progress.files += files
            self._progress.bytes += size
            self._watch(self._progress)


def _copy_file(source: Path, target: Path, meter: _Meter) -> None:
    with source.open("rb") as file:
        target.parent.mkdir(parents=True, exist_ok=True)
        with replaced(target) as part:
            with part.open("wb") as written:
                while chunk := file.read(_CHUNK):
                    written.write(chunk)
                    meter.add(size=len(chunk))
            shutil.copystat(source, part)
    meter.add(files=1)


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
    if not place.holds(path):
        return "a link out of the storage account"
    return "a link to a folder that it is in" if path.resolve() in above else None


def _in_the_way(source: Path, target: Path) -> str | None:
    """Return what is at the target that can't be replaced by the source."""
    if source.is_dir():
        return f"a file is at {target}" if target.exists() and not target.is_dir() else None
    return f"a folder is at {target}" if target.is_dir() else None
