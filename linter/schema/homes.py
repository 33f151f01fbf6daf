"""Where the keys of a schema belong."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from bai.schemas.validators import SchemaKind, schema
from bai.specs.findings import Path


def without_indexes(path: Path) -> Path:
    """Return a path without the indexes of lists."""
    return tuple(step for step in path if not isinstance(step, int))


def homes(kind: SchemaKind, key: str) -> tuple[Path, ...]:
    """Return the paths of the mappings in which a schema knows a key; 0 is any item of a list."""
    return _homes(kind).get(key, ())


def all_keys(kind: SchemaKind) -> Collection[str]:
    """Return all keys that a schema knows, in any mapping."""
    return _homes(kind).keys()


@cache
def toolkit_keys(kind: SchemaKind) -> frozenset[str]:
    """Return the keys below `properties` of which a file has exactly one: a job's toolkits."""
    choices = schema(kind, "source")["properties"]["properties"].get("oneOf", ())
    return frozenset(key for choice in choices for key in choice["required"])


@cache
def _homes(kind: SchemaKind) -> dict[str, tuple[Path, ...]]:
    data = schema(kind, "source")
    found: dict[str, tuple[Path, ...]] = {}

    def visit(part: Any, path: Path) -> None:
        # No definition of these schemas contains itself.
        if reference := part.get("$ref"):
            part = data["definitions"][reference.rsplit("/", 1)[-1]]
        for branch in part.get("oneOf", ()):
            visit(branch, path)
        if isinstance(part.get("items"), dict):
            visit(part["items"], (*path, 0))
        for name, inner in part.get("properties", {}).items():
            found[name] = (*found.get(name, ()), path)
            visit(inner, (*path, name))

    visit(data, ())
    return found
