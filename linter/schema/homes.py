"""Where the keys of a schema belong."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, Final

from bai.linter.resource_view import ResourceView
from bai.schemas.validators import SchemaKind, schema
from bai.specs.findings import Path

_MOST: Final = 3
"""How many places a hint names."""


def holder_of(path: Path) -> Path:
    """Return a path without the indexes of lists."""
    return tuple(step for step in path if not isinstance(step, int))


@cache
def homes(kind: SchemaKind, key: str) -> tuple[Path, ...]:
    """Return the paths of the mappings in which a schema knows a key; 0 is any item of a list."""
    return _homes(kind).get(key, ())


def all_keys(kind: SchemaKind) -> Collection[str]:
    """Return all keys that a schema knows, in any mapping."""
    return _homes(kind).keys()


@cache
def _homes(kind: SchemaKind) -> dict[str, tuple[Path, ...]]:
    data = schema(kind, "source")
    found: dict[str, tuple[Path, ...]] = {}

    def walk(part: Any, path: Path) -> None:
        # No definition of these schemas contains itself.
        if reference := part.get("$ref"):
            part = data["definitions"][reference.rsplit("/", 1)[-1]]
        for branch in part.get("oneOf", ()):
            walk(branch, path)
        if isinstance(part.get("items"), dict):
            walk(part["items"], (*path, 0))
        for name, inner in part.get("properties", {}).items():
            found[name] = (*found.get(name, ()), path)
            walk(inner, (*path, name))

    walk(data, ())
    return found


def best_homes(kind: SchemaKind, key: str, here: Path, resource: ResourceView) -> list[Path]:
    """Return where a key most likely belongs: the homes as near to `here` as can be.

    Args:
        kind: what the file is.
        key: the key.
        here: path of the mapping in which the key stands wrongly.
        resource: the file.
    """
    best: tuple[int, int] = (-1, -1)
    found: list[Path] = []
    mine = holder_of(here)
    for home in homes(kind, key):
        path = holder_of(home)
        shared = 0
        while shared < min(len(path), len(mine)) and path[shared] == mine[shared]:
            shared += 1
        # What the file has already is meant rather than what it lacks.
        score = (int(stands(resource.wire, home)), shared)
        if score > best:
            best, found = score, []
        if score == best:
            found.append(home)
    return found


def home_of(kind: SchemaKind, key: str, here: Path, resource: ResourceView) -> str:
    """Return where a key belongs, as `best_homes` does, in words; nothing if nowhere."""
    found = best_homes(kind, key, here, resource)[:_MOST]
    return " or ".join(".".join(map(str, holder_of(home))) or "the top level" for home in found)


def stands(value: Any, path: Path) -> bool:
    """Return whether there is a value at a path; None counts as one."""
    for step in path:
        is_key = isinstance(value, dict) and step in value
        is_index = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if not (is_key or is_index):
            return False
        value = value[step]
    return True
