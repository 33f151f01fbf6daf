"""Where the keys of a schema belong."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from bai.compiler.rules.subject import Subject
from bai.schemas.validators import SchemaKind, schema
from bai.specs.findings import Path

_MOST: Final = 3
"""How many places a hint names."""


def holder_of(path: Path) -> Path:
    """Return a path without the indexes of lists."""
    return tuple(step for step in path if not isinstance(step, int))


@cache
def homes(kind: SchemaKind, key: str) -> tuple[Path, ...]:
    """Return the paths, without indexes of lists, of the mappings in which a schema knows a key."""
    data = schema(kind, "source")
    found: list[Path] = []

    def walk(part: Any, path: Path) -> None:
        # No definition of these schemas contains itself.
        if reference := part.get("$ref"):
            part = data["definitions"][reference.rsplit("/", 1)[-1]]
        for branch in part.get("oneOf", ()):
            walk(branch, path)
        if isinstance(part.get("items"), dict):
            walk(part["items"], path)
        for name, inner in part.get("properties", {}).items():
            if name == key:
                found.append(path)
            walk(inner, (*path, name))

    walk(data, ())
    return tuple(found)


def home_of(kind: SchemaKind, key: str, here: Path, subject: Subject) -> str | None:
    """Return where a key belongs, as near to `here` as can be, in words; None if nowhere.

    Args:
        kind: what the file is.
        key: the key.
        here: path of the mapping in which the key stands wrongly.
        subject: the file.
    """
    best: tuple[int, int] = (-1, -1)
    found: list[str] = []
    mine = holder_of(here)
    for home in homes(kind, key):
        shared = 0
        while shared < min(len(home), len(mine)) and home[shared] == mine[shared]:
            shared += 1
        # What the file has already is meant rather than what it lacks.
        score = (int(_stands(subject.wire, home)), shared)
        if score > best:
            best, found = score, []
        if score == best:
            found.append(".".join(map(str, home)) or "the top level")
    return " or ".join(found[:_MOST]) or None


def _stands(value: Any, path: Path) -> bool:
    for step in path:
        while isinstance(value, list) and value:
            value = value[0]
        if not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return True
