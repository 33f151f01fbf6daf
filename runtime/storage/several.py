"""Copies of several files and folders into one folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bai.runtime.entries import Entry
from bai.runtime.errors import FolderError, StorageError
from bai.runtime.storage.copying import Copied, Copier, Watch
from bai.runtime.storage.files import Files, Item, Uncopied
from bai.runtime.storage.place import Place


def copy_into(
    found: Sequence[tuple[Place, Entry]],
    goal: Place,
    *,
    recursive: bool,
    watch: Watch | None,
) -> Copied:
    """Copy files and folders into a folder, each under its own name.

    Args:
        found: what to copy, from any places.
        goal: the folder, which need not exist.
        recursive: whether also folders.
        watch: called with the progress.

    Raises:
        StorageError: a folder is there without `recursive`, two have one name, one of them holds
            the target, or that can't be written.
    """
    named = _named(found)
    folders = [place for place, entry in found if entry.is_directory]
    if folders and not recursive:
        raise FolderError(folders[0].name, "copies")
    if goal.depth == 0 and len(folders) < len(found):
        raise StorageError(f"{goal.name} names no share: files are in shares and containers")
    there = goal.stat()
    if there and not there.is_directory:
        raise StorageError(f"{goal.name} is a file: several are copied into a folder")
    by_files: dict[Files, list[Item | Uncopied]] = {}
    for name, (place, entry) in named.items():
        target = goal.below(name)
        if entry.is_directory and place.holds(target):
            raise StorageError(f"{goal.name} is in {place.name} itself, which would be copied")
        items = by_files.setdefault(place.files, [])
        items.append(Item(entry, place.path, target.path))
        if entry.is_directory:
            items += place.contents(target)
    created = goal.new_share()
    goal.files.make_folder(goal.path, is_empty=False)
    copied = [Copier(files, goal.files, watch).copy(items) for files, items in by_files.items()]
    return Copied(
        sum(each.files for each in copied),
        tuple(left for each in copied for left in each.uncopied),
        created,
    )


def _named(found: Iterable[tuple[Place, Entry]]) -> dict[str, tuple[Place, Entry]]:
    """Return what is to be copied, by the names of the copies.

    Raises:
        StorageError: two have one name.
    """
    named: dict[str, tuple[Place, Entry]] = {}
    for place, entry in found:
        name = place.own_name(entry)
        if name in named:
            raise StorageError(
                f"{named[name][0].name} and {place.name} have the same name: copy them one by one"
            )
        named[name] = place, replace(entry, name=name)
    return named
