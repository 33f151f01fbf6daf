"""Addresses with wildcards: `*`, `?` and `[abc]` stand for parts of one name, not for slashes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from bai.runtime.entries import Entry
from bai.runtime.errors import StorageError
from bai.runtime.storage.place import Place


def has_wildcard(path: str) -> bool:
    """Return whether a path may stand for several."""
    return any(character in path for character in "*?[")


def matches(pattern: Place) -> dict[str, tuple[Place, Entry]]:
    """Return the files and folders that a pattern in an account stands for, by their last names.

    Raises:
        StorageError: there are none, or two have one name.
    """
    found: dict[str, tuple[Place, Entry]] = {}
    root = replace(pattern, path="")
    for place, entry in _matches(root, PurePosixPath(pattern.path).parts):
        if entry.name in found:
            first, second = (each.files.shown(each.path) for each in (found[entry.name][0], place))
            raise StorageError(f"{first} and {second} have the same name: copy them one by one")
        found[entry.name] = place, entry
    if not found:
        raise StorageError(f"nothing fits {pattern.name}")
    return found


def _matches(folder: Place, parts: tuple[str, ...]) -> Iterator[tuple[Place, Entry]]:
    part, *rest = parts
    names = [part]
    if has_wildcard(part):
        listed = folder.files.entries(folder.path, recursive=False)
        names = [entry.name for entry in listed if fnmatchcase(entry.name, part)]
    for place in map(folder.below, names):
        entry = place.stat()
        if entry and not rest:
            yield place, entry
        elif entry and entry.is_directory:
            yield from _matches(place, tuple(rest))
