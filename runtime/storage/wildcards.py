"""Names with wildcards: `*`, `?` and `[abc]` stand for parts of one name, not for slashes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import takewhile
from pathlib import PurePosixPath

from bai.runtime.entries import Entry
from bai.runtime.errors import StorageError
from bai.runtime.storage.place import Place


def has_wildcard(path: str) -> bool:
    """Return whether a path may stand for several."""
    return any(character in path for character in "*?[")


def matches(pattern: Place) -> list[tuple[Place, Entry]]:
    """Return the files and folders that a pattern stands for, by name.

    Raises:
        StorageError: there are none.
    """
    found = list(_matches(replace(pattern, path=""), PurePosixPath(pattern.path).parts))
    if not found:
        raise StorageError(f"nothing fits {pattern.name}")
    return found


def listed(pattern: Place, *, recursive: bool) -> Iterator[Entry]:
    """Iterate over what a pattern stands for, each with its path from the last folder without one.

    Args:
        pattern: what to list.
        recursive: whether to go into the folders that fit. Links are listed, and not followed.

    Raises:
        StorageError: nothing fits.
    """
    fixed = takewhile(lambda part: not has_wildcard(part), PurePosixPath(pattern.path).parts)
    base = PurePosixPath(*fixed)
    for place, entry in matches(pattern):
        name = str(PurePosixPath(place.path).relative_to(base))
        yield replace(entry, name=name)
        if recursive and entry.is_directory and not place.is_link:
            for below in place.files.entries(place.path, recursive=True):
                yield replace(below, name=f"{name}/{below.name}")


def _matches(folder: Place, parts: tuple[str, ...]) -> Iterator[tuple[Place, Entry]]:
    part, *rest = parts
    names = [part]
    if has_wildcard(part):
        entries = folder.files.entries(folder.path, recursive=False)
        names = [entry.name for entry in entries if fnmatchcase(entry.name, part)]
    for place in map(folder.below, names):
        entry = place.stat()
        if entry and not rest:
            yield replace(place, name=place.shown), entry
        elif entry and entry.is_directory:
            yield from _matches(place, tuple(rest))
