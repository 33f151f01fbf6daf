"""What an attempt has written: files in named directories, read by name and offset.

Folders of this machine give it as well as links of a REST service or pods: nothing here is a path
or a handle, and files that grow are followed by their sizes in a list.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

from bai.runtime.entries import Entry
from bai.runtime.errors import MissingFileError, StorageError

LOGS: Final = "logs"
"""The directory of the logs, named as Batch AI names them: `stdout.txt`, `stderr-wk-0.txt`."""
RECORDS: Final = "records"
"""The directory of what bai keeps of the attempt: the files below."""
METRICS: Final = "metrics.jsonl"
USAGE: Final = "usage.jsonl"
LOG_ORDER: Final = "log-order.txt"
KEPT_FILES: Final = "kept-files.json"

_OUTPUTS: Final = "outputs/"


def output(id: str) -> str:
    """Return the name of the directory of an output."""
    return f"{_OUTPUTS}{id}"


class Files(Protocol):
    """The files of one attempt."""

    def list(self, directory: str, path: str = "") -> Sequence[Entry]:
        """Return what is in a directory now, by name; of files that grow, the sizes as well.

        Args:
            directory: `LOGS`, `RECORDS` or the name of an output's.
            path: a folder in it; by default the directory itself.

        Raises:
            MissingFileError: there is no such directory, or not yet.
            StorageError: it can't be read.
        """

    def read(self, directory: str, path: str, offset: int = 0, size: int | None = None) -> bytes:
        """Return a part of a file; less than `size` bytes only at its end.

        Args:
            directory: the directory that it is in.
            path: the file, from there.
            offset: where to begin.
            size: how many bytes to read at most; None for all there are.

        Raises:
            MissingFileError: there is no such file, or not yet.
            StorageError: it can't be read.
        """

    def address(self, directory: str) -> str:
        """Return where people find a directory: a folder's path, for one.

        Raises:
            MissingFileError: the attempt has no such directory.
        """


class RemoteFolder(Protocol):
    """One directory of an attempt that is no folder of this machine."""

    @property
    def address(self) -> str:
        """Where people find it."""

    def list(self, path: str) -> Sequence[Entry]:
        """Return what is in it, or in a folder in it, by name.

        Raises:
            MissingFileError: there is no such folder.
            StorageError: it can't be read.
        """

    def read(self, path: str, offset: int, size: int | None) -> bytes:
        """Return a part of a file; less than `size` bytes only at its end.

        Raises:
            MissingFileError: there is no such file.
            StorageError: it can't be read.
        """


class FolderFiles:
    """The files of an attempt in folders of this machine, with some directories elsewhere."""

    def __init__(
        self,
        folders: Mapping[str, Path],
        records: Path,
        elsewhere: Mapping[str, RemoteFolder] | None = None,
    ) -> None:
        """Serve folders.

        Args:
            folders: directory -> the folder that it is. They need not exist yet.
            records: the folder of the records, of which nothing else is served.
            elsewhere: directory -> what reads it, where it is no folder.
        """
        self._folders = folders
        self._records = records
        self._elsewhere = elsewhere or {}

    def list(self, directory: str, path: str = "") -> Sequence[Entry]:
        """Return what is in a directory now, by name; no links to folders.

        Raises:
            MissingFileError: there is no such directory, or not yet.
            StorageError: it can't be read, or a link leads out of the directory.
        """
        if remote := self._elsewhere.get(directory):
            return remote.list(path)
        folder = self._path(directory, path)
        with _explained(folder), os.scandir(folder) as found:
            entries = [entry for each in found if (entry := _entry(each))]
        if directory == RECORDS:
            entries = [entry for entry in entries if entry.name in _RECORDS]
        return sorted(entries, key=lambda entry: entry.name)

    def read(self, directory: str, path: str, offset: int = 0, size: int | None = None) -> bytes:
        """Return a part of a file; less than `size` bytes only at its end.

        Raises:
            MissingFileError: there is no such file, or not yet.
            StorageError: it can't be read, or a link leads out of the directory.
        """
        if remote := self._elsewhere.get(directory):
            return remote.read(path, offset, size)
        file = self._path(directory, path)
        if directory == RECORDS and path not in _RECORDS:
            raise MissingFileError(f"there is no record {path}")
        with _explained(file):
            # Without O_NONBLOCK, a named pipe would be waited for.
            handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                kind = os.fstat(handle)
                if not stat.S_ISREG(kind.st_mode):
                    raise StorageError(f"can't read {file}: it is no file")
                left = kind.st_size - offset if size is None else size
                return _read(handle, offset, left) if left > 0 else b""
            finally:
                os.close(handle)

    def address(self, directory: str) -> str:
        """Return the path of a directory's folder, or its address in a storage account.

        Raises:
            MissingFileError: the attempt has no such directory.
        """
        remote = self._elsewhere.get(directory)
        return remote.address if remote else str(self._folder(directory))

    def _folder(self, directory: str) -> Path:
        folder = self._records if directory == RECORDS else self._folders.get(directory)
        if folder is None:
            what = directory.removeprefix(_OUTPUTS)
            raise MissingFileError(f"the job has no output {what}")
        return folder

    def _path(self, directory: str, path: str) -> Path:
        folder = self._folder(directory)
        below = PurePosixPath(path)
        found = folder / below
        inside = not below.is_absolute() and ".." not in below.parts
        with _explained(found):
            # What a job writes may be links to anywhere.
            inside = inside and found.resolve().is_relative_to(folder.resolve())
        if not inside:
            raise StorageError(f"{path!r} leads out of {folder}")
        return found


_RECORDS: Final = (METRICS, USAGE, LOG_ORDER, KEPT_FILES)


def _entry(found: os.DirEntry[str]) -> Entry | None:
    try:
        status = found.stat()
    except OSError:
        # A link to nothing, or gone again.
        return None
    is_directory = stat.S_ISDIR(status.st_mode)
    if is_directory and found.is_symlink():
        # It may lead in a circle.
        return None
    if not is_directory and not stat.S_ISREG(status.st_mode):
        return None
    time = datetime.fromtimestamp(status.st_mtime, UTC)
    return Entry(found.name, is_directory, 0 if is_directory else status.st_size, time)


def _read(handle: int, offset: int, size: int) -> bytes:
    data = os.pread(handle, size, offset)
    if len(data) in (0, size):
        return data
    # One call gives 2 GiB at most.
    pieces = [data]
    while data := os.pread(handle, size := size - len(data), offset := offset + len(data)):
        pieces.append(data)
    return b"".join(pieces)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise MissingFileError(f"{path} is missing") from None
    except (OSError, RuntimeError) as error:
        # pathlib says by a RuntimeError that links lead in a circle.
        reason = getattr(error, "strerror", None) or error
        raise StorageError(f"can't read {path}: {reason}") from None
