"""How two folders differ, and what makes the second one like the first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from bai.runtime.entries import Entry
from bai.runtime.storage.copying import Copied
from bai.runtime.storage.files import Item, Uncopied
from bai.runtime.storage.partial import is_partial
from bai.runtime.storage.place import Place


@dataclass(frozen=True, slots=True)
class Differences:
    """How the content of a folder differs from that of another one."""

    source: Place
    target: Place
    copies: tuple[Item | Uncopied, ...]
    """Files that differ or are missing, and folders that are missing."""
    extra: tuple[Entry, ...]
    """What is in the target alone, a folder before what is in it; empty if nobody asked."""
    unchanged: int
    """How many files are alike."""

    @property
    def extra_files(self) -> int:
        """How many files are in the target alone."""
        return sum(not entry.is_directory for entry in self.extra)


@dataclass(frozen=True, slots=True)
class Synced:
    """What became of a synchronisation."""

    copied: Copied
    removed: int
    """How many files were removed from the target."""
    unchanged: int
    """How many files were alike."""


def compare(source: Place, target: Place, *, extra: bool) -> Differences:
    """Return how a folder differs from another one, which need not exist.

    Files are alike if their sizes and the checksums of their content are. One whose checksum an
    account does not know differs.

    Args:
        source: the folder.
        target: the other one.
        extra: whether to look for what is in the target alone.
    """
    exists = target.stat() is not None
    known = {
        each.name: each
        for each in (target.files.contents(target.path) if exists else ())
        if isinstance(each, Entry)
    }
    copies: list[Item | Uncopied] = []
    kinds: dict[str, bool] = {}
    unchanged = 0
    for each in source.contents(target):
        if isinstance(each, Item):
            other = known.get(each.entry.name)
            kinds[each.entry.name] = each.entry.is_directory
            if other and _is_alike(each, other, source, target):
                unchanged += not other.is_directory
                continue
        copies.append(each)
    # Links are not followed here: nothing that they lead to is removed.
    listed = target.files.entries(target.path, recursive=True) if extra and exists else ()
    alone = [each for each in listed if kinds.get(each.name) is not each.is_directory]
    alone = [each for each in alone if not is_partial(each.name)]
    return Differences(source, target, tuple(copies), tuple(alone), unchanged)


def _is_alike(item: Item, other: Entry, source: Place, target: Place) -> bool:
    entry = item.entry
    if entry.is_directory or other.is_directory:
        return entry.is_directory and other.is_directory
    if entry.size != other.size:
        return False
    mine = source.files.checksum(item.source, entry)
    return mine is not None and mine == target.files.checksum(item.target, other)


def remove_extra(differences: Differences) -> int:
    """Remove what is in the target alone, and return how many files that were."""
    gone: set[PurePosixPath] = set()
    for entry in differences.extra:
        path = PurePosixPath(entry.name)
        if gone.isdisjoint(path.parents):
            gone.add(path)
            place = differences.target.below(entry.name)
            if entry.is_directory:
                place.files.remove_folder(place.path)
            else:
                place.files.remove(place.path)
    return differences.extra_files
