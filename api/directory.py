"""A directory that a job has written: one of its outputs, or its logs."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from bai.arguments import expect_path
from bai.runtime.entries import Entry
from bai.runtime.errors import MissingFileError, StorageError
from bai.runtime.jobs.files import Files
from bai.specs.replacing import replaced

_READ: Final = 1 << 20


class Directory:
    """A directory that a job has written, wherever it is; `str()` is where people find it."""

    def __init__(self, files: Files, name: str) -> None:
        """Read one of the directories of an attempt."""
        self._files = files
        self._name = name

    @property
    def address(self) -> str:
        """Where people find it; of a job on this machine, the path of the folder."""
        return self._files.address(self._name)

    def list(self, path: str = "", *, recursive: bool = False) -> Iterator[Entry]:
        """Iterate over what is there now, by name; over nothing if it has not been made.

        Args:
            path: a folder in it; by default the directory itself.
            recursive: whether to go into the folders.

        Raises:
            StorageError: it can't be read.
        """
        try:
            entries = self._files.list(self._name, path)
        except MissingFileError:
            return
        for entry in entries:
            name = f"{path}/{entry.name}" if path else entry.name
            yield Entry(name, entry.is_directory, entry.size, entry.modified)
            if recursive and entry.is_directory:
                yield from self.list(name, recursive=True)

    def read(self, path: str) -> bytes:
        """Return the content of a file.

        Raises:
            MissingFileError: there is no such file.
            StorageError: it can't be read.
        """
        return self._files.read(self._name, path)

    def open(self, path: str) -> BinaryIO:
        """Open a file to read.

        Raises:
            MissingFileError: there is no such file.
            StorageError: it can't be read.
        """
        return io.BufferedReader(_File(self._files, self._name, path), _READ)

    def download(self, target: str | os.PathLike[str], path: str = "") -> int:
        """Copy a file, or all files of a folder, to this machine; return how many.

        Args:
            target: the file to make, or the folder to fill. What is there is replaced.
            path: what to copy; by default all.

        Raises:
            MissingFileError: there is no such file or folder.
            StorageError: something can't be read, or not be written.
        """
        expect_path(target, "one call for each")
        goal = Path(target)
        try:
            entries = self._files.list(self._name, path)
        except MissingFileError:
            if not path:
                raise
            self._copy(path, goal)
            return 1
        count = 0
        for entry in entries:
            name = f"{path}/{entry.name}" if path else entry.name
            if entry.is_directory:
                count += self.download(goal / entry.name, name)
            else:
                self._copy(name, goal / entry.name)
                count += 1
        return count

    def _copy(self, path: str, goal: Path) -> None:
        with self.open(path) as source:
            try:
                goal.parent.mkdir(parents=True, exist_ok=True)
                with replaced(goal) as written, written.open("wb") as file:
                    while data := source.read(_READ):
                        file.write(data)
            except OSError as error:
                raise StorageError(f"can't write {goal}: {error.strerror or error}") from None

    def __str__(self) -> str:
        return self.address

    def __repr__(self) -> str:
        return f"<Directory {self.address}>"


class _File(io.RawIOBase):
    """A file of an attempt, as Python's own files are."""

    def __init__(self, files: Files, directory: str, path: str) -> None:
        self._files = files
        self._place = directory, path
        self._offset = 0
        # What is missing is missing now, not at the first read.
        files.read(directory, path, 0, 1)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_CUR:
            offset += self._offset
        elif whence == os.SEEK_END:
            offset += self._size()
        if offset < 0:
            raise ValueError(f"there is nothing at {offset}")
        self._offset = offset
        return offset

    def tell(self) -> int:
        return self._offset

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._files.read(*self._place, self._offset, len(buffer))
        buffer[: len(data)] = data
        self._offset += len(data)
        return len(data)

    def _size(self) -> int:
        directory, path = self._place
        folder, _, name = path.rpartition("/")
        found = self._files.list(directory, folder)
        return next(entry.size for entry in found if entry.name == name)
