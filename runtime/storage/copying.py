"""Copies files from one place to another, and reports what could not be copied."""

from __future__ import annotations

import errno
import os
import posixpath
import tempfile
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bai.runtime.errors import AccountError, StorageError
from bai.runtime.storage.files import Files, Item, Uncopied

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""Errors of a target that will not take the next file either."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What became of a copy."""

    files: int
    """How many files were copied."""
    uncopied: tuple[Uncopied, ...] = ()
    """What was not."""
    created: str | None = None
    """The address of the share, or container, that was made for them."""


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


class CopyStoppedError(Exception):
    """Nobody wants the copy any more."""


class Copier:
    """Copies from one place to another."""

    def __init__(self, source: Files, target: Files, watch: Watch | None = None) -> None:
        """Copy, and call `watch` with the progress."""
        self._source = source
        self._target = target
        self._watch = watch
        self._progress = Progress(0, 0)
        self._lock = threading.Lock()
        self._is_stopped = False

    def copy_file(self, item: Item) -> None:
        """Copy a file; if this raises, what is at its target is unchanged.

        Raises:
            OSError, StorageError: it can't be read or written.
        """
        self._expect([item])
        self._copy(item)

    def copy(self, found: Iterable[Item | Uncopied]) -> Copied:
        """Copy files and folders, a folder before what is in it; leave out what can't be copied.

        A file is complete at the target or not there at all.

        Raises:
            StorageError: the target has no room left, or an account can't be used any more. Some
                files are copied then.
        """
        found = list(found)
        items = [each for each in found if isinstance(each, Item)]
        uncopied = [each for each in found if isinstance(each, Uncopied)]
        parents = {posixpath.dirname(item.target) for item in items}
        self._expect(items)
        for item in items:
            if item.entry.is_directory:
                uncopied += self._attempt(
                    item, self._make_empty if item.target not in parents else self._make
                )
        files = [item for item in items if not item.entry.is_directory]
        for left in self._copy_all(files):
            uncopied += left
        uncopied.sort(key=lambda each: each.path)
        return Copied(self._progress.files, tuple(uncopied))

    def _expect(self, items: Collection[Item]) -> None:
        files = [item.entry for item in items if not item.entry.is_directory]
        self._progress = Progress(len(files), sum(entry.size for entry in files))

    def _copy_all(self, files: Collection[Item]) -> Iterator[list[Uncopied]]:
        """Copy files, several at once where both places can; what is not copied comes back."""
        at_once = min(max(self._source.at_once, self._target.at_once), len(files))
        if at_once < 2:
            for file in files:
                yield self._attempt(file, self._copy)
            return
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(at_once)
        try:
            yield from pool.map(lambda file: self._attempt(file, self._copy), files)
        except BaseException:
            self._is_stopped = True
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _attempt(self, item: Item, act: Callable[[Item], None]) -> list[Uncopied]:
        """Do something with a file or folder, and return why that was not possible.

        Raises:
            StorageError: it will not be possible with others either.
        """
        try:
            act(item)
        except OSError as error:
            reason = error.strerror or str(error)
            if error.errno in _NO_ROOM:
                raise StorageError(self._copied_by_then(reason)) from None
            reason = self._in_the_way(item) or reason
        except AccountError as error:
            raise AccountError(self._copied_by_then(str(error))) from None
        except StorageError as error:
            reason = str(error)
        else:
            return []
        return [Uncopied(self._source.shown(item.source), reason)]

    def _copied_by_then(self, reason: str) -> str:
        return f"{reason} (files copied by then: {self._progress.files})"

    def _make(self, item: Item) -> None:
        self._target.make_folder(item.target, is_empty=False)

    def _make_empty(self, item: Item) -> None:
        self._target.make_folder(item.target, is_empty=True)

    def _copy(self, item: Item) -> None:
        here, there = self._source.on_disk(item.source), self._target.on_disk(item.target)
        if there:
            self._target.make_folder(posixpath.dirname(item.target), is_empty=False)
            self._source.fetch(item.source, there, self._count)
        elif here:
            self._send(here, item.target)
        else:
            # Between two accounts the file comes through this machine, where its checksum is read.
            with tempfile.TemporaryDirectory() as folder:
                part = Path(folder, "file")
                self._source.fetch(item.source, part, self._check_stopped)
                self._send(part, item.target)
        with self._lock:
            self._progress.files += 1
            if self._watch:
                self._watch(self._progress)

    def _send(self, file: Path, target: str) -> None:
        with file.open("rb") as content:
            self._target.write(target, content, self._count)

    def _count(self, size: int) -> None:
        self._check_stopped(size)
        with self._lock:
            self._progress.bytes += size
            if self._watch:
                self._watch(self._progress)

    def _check_stopped(self, _: int) -> None:
        if self._is_stopped:
            raise CopyStoppedError

    def _in_the_way(self, item: Item) -> str | None:
        """Return what is at the target that can't be replaced by the source."""
        at = self._target.on_disk(item.target)
        if at is None:
            return None
        shown = self._target.shown(item.target)
        if item.entry.is_directory:
            return f"a file is at {shown}" if os.path.lexists(at) and not at.is_dir() else None
        return f"a folder is at {shown}" if at.is_dir() else None
