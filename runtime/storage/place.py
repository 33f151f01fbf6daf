"""Where a file or folder is: on this machine, or at an address in a storage account."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from bai.runtime.accounts import Address
from bai.runtime.entries import Entry
from bai.runtime.storage.files import Files, Item, Uncopied


@dataclass(frozen=True, slots=True)
class Place:
    """A path of some files, whether anything is there or not."""

    name: str
    """As it was written."""
    files: Files
    path: str
    address: Address | None = None
    """None on this machine."""

    @property
    def on_disk(self) -> Path | None:
        """Where this machine has it; None where it has not."""
        return self.files.on_disk(self.path)

    @property
    def shown(self) -> str:
        """What people call it: its address, or its path on this machine."""
        return self.files.shown(self.path)

    @property
    def is_link(self) -> bool:
        """Whether it is a link."""
        return (path := self.on_disk) is not None and path.is_symlink()

    @property
    def leads_nowhere(self) -> bool:
        """Whether it is nothing on this machine, or a link to nothing."""
        return (path := self.on_disk) is not None and not path.exists()

    def own_name(self, entry: Entry) -> str:
        """Return what a copy of this is called; `entry` is what is here."""
        if self.address is None and entry.name in ("", ".", ".."):
            return Path(self.path).resolve().name
        return entry.name

    @property
    def depth(self) -> int | None:
        """How deep in an account: 0 for all shares, 1 for one; None on this machine."""
        return len(PurePosixPath(self.path).parts) if self.address else None

    def below(self, name: str) -> Place:
        """Return the place of a file or folder in this one."""
        return replace(self, path=posixpath.join(self.path, name))

    def stat(self) -> Entry | None:
        """Return what is here; None if there is nothing."""
        return self.files.stat(self.path)

    def is_folder(self) -> bool:
        """Return whether a folder is here."""
        found = self.stat()
        return found is not None and found.is_directory

    def contents(self, goal: Place) -> Iterator[Item | Uncopied]:
        """Iterate over what a copy of this folder to another place would copy."""
        for each in self.files.contents(self.path):
            if isinstance(each, Uncopied):
                yield each
            else:
                source, target = self.below(each.name).path, goal.below(each.name).path
                yield Item(each, source, target)

    def holds(self, other: Place) -> bool:
        """Return whether another place is in this one, or is the same."""
        mine, theirs = self.on_disk, other.on_disk
        if mine and theirs:
            return theirs.resolve().is_relative_to(mine.resolve())
        is_near = self.files is other.files
        return is_near and PurePosixPath(other.path).is_relative_to(PurePosixPath(self.path))

    def new_share(self) -> str | None:
        """Return the address of its share, or container, if that does not exist yet."""
        share = PurePosixPath(self.path).parts[:1]
        if self.address is None or not share or self.files.stat(share[0]):
            return None
        return str(replace(self.address, path=share[0]))
