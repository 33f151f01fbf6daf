"""A file or a folder that a job has written, by its address `job:NAME/OUTPUT_ID/PATH`."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final

from bai.directory import Directory
from bai.runtime.entries import Entry
from bai.runtime.errors import FolderError, MissingFileError, NotFoundError, StorageError
from bai.runtime.storage.copying import Copied
from bai.runtime.storage.storage import Storage
from bai.session import Session
from bai.specs.names import nearest, suggestion

SCHEME: Final = "job:"
LOGS_ID: Final = "stdouterr"
"""The id that stands for the logs, as in Batch AI."""
_STEPS: Final = 3
"""How many names a job's own has at most: WORKSPACE/EXPERIMENT/NAME."""


@dataclass(frozen=True, slots=True)
class OutputPlace:
    """A place in an output of a job, where something is."""

    address: str
    directory: Directory
    path: str
    """From there; '' is the directory itself."""
    name: str
    """What a copy of it is called."""
    is_folder: bool

    def entries(self, *, recursive: bool) -> Iterator[Entry]:
        """Iterate over what is in the folder, by name from there; over the one file if it is one.

        Raises:
            StorageError: it can't be read.
        """
        if not self.is_folder:
            yield replace(_entry(self.directory, self.path), name=self.name)
            return
        for entry in self.directory.list(self.path, recursive=recursive):
            yield replace(entry, name=entry.name.removeprefix(f"{self.path}/"))

    def copy(self, target: str, storage: Storage, *, recursive: bool) -> Copied:
        """Copy it.

        Args:
            target: a path on this machine, or an address in one of the storage accounts.
            storage: these.
            recursive: whether to copy a folder.

        Raises:
            StorageError: it is a folder and `recursive` is not set, or something can't be read or
                written.
        """
        if self.is_folder and not recursive:
            raise FolderError(self.address, "copies")
        goal = storage.goal(target, self.name, is_folder=self.is_folder)
        if path := goal.on_disk:
            goal.stat()
            created = goal.new_share()
            return Copied(self.directory.download(path, self.path), created=created)
        with tempfile.TemporaryDirectory() as folder:
            part = Path(folder, self.name)
            self.directory.download(part, self.path)
            return storage.copy(str(part), target, recursive=recursive)

    def read(self, into: BinaryIO) -> None:
        """Copy the content of the file.

        Raises:
            StorageError: it is a folder, or can't be read.
        """
        if self.is_folder:
            raise StorageError(f"{self.address} is a folder: only a file can be read")
        with self.directory.open(self.path) as file:
            shutil.copyfileobj(file, into)


def find_output(session: Session, address: str) -> OutputPlace:
    """Return the place of `job:NAME/OUTPUT_ID/PATH` in the newest attempt of a job.

    NAME may be EXPERIMENT/NAME or WORKSPACE/EXPERIMENT/NAME; `stdouterr` is the id of the logs.

    Raises:
        NotFoundError: there is no such job or output, or nothing is there.
        StorageError: it can't be read.
    """
    parts = [part for part in address.removeprefix(SCHEME).split("/") if part]
    missing: list[NotFoundError] = []
    for count in range(1, min(len(parts), _STEPS) + 1):
        try:
            job = session.job("/".join(parts[:count]))
        except NotFoundError as error:
            missing.append(error)
            continue
        known = {**job.outputs, LOGS_ID: job.log_files}
        id, *below = parts[count:] or [""]
        if id in known:
            return _place(address, known[id], id, "/".join(below))
        hint = suggestion(id, known)
        what = f"has no output {id!r} ({hint})" if id else f"is no output: {hint}"
        missing.insert(0, NotFoundError(f"{job.label} {what}"))
    raise missing[0] if missing else StorageError(f"{address!r} names no job: {SCHEME}NAME/OUTPUT")


def _place(address: str, directory: Directory, id: str, path: str) -> OutputPlace:
    if not path:
        return OutputPlace(address, directory, "", id, is_folder=True)
    entry = _entry(directory, path)
    return OutputPlace(address, directory, path, path.rpartition("/")[2], entry.is_directory)


def _entry(directory: Directory, path: str) -> Entry:
    """Return what is at a path.

    Raises:
        MissingFileError: there is nothing; the message names what may be meant.
    """
    folder, _, _ = path.rpartition("/")
    entries = {entry.name: entry for entry in directory.list(folder)}
    if path in entries:
        return entries[path]
    near = nearest(path, entries)
    hint = f" (did you mean {near}?)" if near else ""
    raise MissingFileError(f"there is no {path} in {directory.address}{hint}")
