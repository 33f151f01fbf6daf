"""The strings and keys of a wire form."""

from __future__ import annotations

from typing import Any, NamedTuple

from bai.specs.findings import Path


class Texts(NamedTuple):
    """What one walk over a wire form collects."""

    found: list[tuple[Path, str]]
    """(path, text) of every string, in their order."""
    keys: set[str]
    """All keys of mappings."""


def texts(value: dict[str, Any] | list[Any]) -> Texts:
    """Return the strings below a mapping or a list, and the keys."""
    walked = Texts([], set())
    _collect(value, (), *walked)
    return walked


def _collect(
    value: dict[str, Any] | list[Any], path: Path, found: list[tuple[Path, str]], keys: set[str]
) -> None:
    """Add what is below a value: to one list and one set, as this is done for every file."""
    if type(value) is dict:
        keys.update(value)
        steps: Any = value.items()
    else:
        steps = enumerate(value)
    for step, inner in steps:
        kind = type(inner)
        if kind is str:
            found.append(((*path, step), inner))
        elif kind is dict or kind is list:
            _collect(inner, (*path, step), found, keys)
        elif isinstance(inner, str):
            found.append(((*path, step), inner))
