"""What every place of files can do: this machine, an account that is a folder, a real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from bai.runtime.entries import Entry


@dataclass(frozen=True, slots=True)
class Uncopied:
    """Something that was not copied."""

    path: str
    """What it is in the source: a path of this machine, or an address."""
    reason: str
    """Why, in a few words: `a named pipe`, `Permission denied`."""


@dataclass(frozen=True, slots=True)
class Item:
    """A file or a folder to be copied."""

    entry: Entry
    source: str
    """Its path in the place that it is copied from."""
    target: str
    """Its path in the place that it is copied to."""


Count = Callable[[int], None]
"""Called with the number of bytes that have just been copied."""


class Files(Protocol):
    """The files of an account, in shares or containers, or those of this machine.

    A path in an account is SHARE/PATH, and '' is all of the account. Every method may raise a
    StorageError or an OSError; an AccountError is one that other files would have as well.
    """

    @property
    def at_once(self) -> int:
        """How many files may be copied at once."""

    def on_disk(self, path: str) -> Path | None:
        """Return where this machine has what is at a path; None where it has not."""

    def shown(self, path: str) -> str:
        """Return what people call a path."""

    def stat(self, path: str) -> Entry | None:
        """Return the file or folder at a path, with its last name; None if there is nothing."""

    def entries(self, path: str, *, recursive: bool) -> Iterator[Entry]:
        """Iterate over what is in a folder, each with its path from there, as it is listed."""

    def contents(self, path: str) -> Iterator[Entry | Uncopied]:
        """Iterate over all that is in a folder, as it is copied: a folder before what is in it."""

    def checksum(self, path: str, entry: Entry) -> bytes | None:
        """Return the MD5 of the file at a path, which was listed as `entry`; None if unknown."""

    def read(self, path: str, into: BinaryIO) -> None:
        """Copy the content of a file."""

    def fetch(self, path: str, target: Path, count: Count) -> None:
        """Copy a file to this machine, where it is whole or not at all."""

    def write(self, path: str, content: BinaryIO, count: Count) -> None:
        """Make a file, or replace it, once all of its content has come."""

    def make_folder(self, path: str, *, is_empty: bool) -> None:
        """Make a folder, and those that it is in, for files or to stay empty."""

    def remove(self, path: str) -> None:
        """Remove a file, or a link."""

    def remove_folder(self, path: str) -> None:
        """Remove a folder with all in it."""
