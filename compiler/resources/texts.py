"""The strings of a wire form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bai.specs.findings import Path


def texts(value: dict[str, Any] | list[Any]) -> list[tuple[Path, str]]:
    """Return (path, text) of every string below a mapping or a list, in their order."""
    found: list[tuple[Path, str]] = []
    _collect(value, (), found)
    return found


def _collect(value: dict[str, Any] | list[Any], path: Path, found: list[tuple[Path, str]]) -> None:
    """Add what is below a value: to one list, as this is done for every file."""
    steps: Iterable[tuple[str | int, Any]]
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in steps:
        if isinstance(inner, str):
            found.append(((*path, step), inner))
        elif type(inner) is dict or type(inner) is list:
            _collect(inner, (*path, step), found)
