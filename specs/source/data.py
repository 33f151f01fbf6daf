"""Plain data of documents, of any shape."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

MISSING: Final = object()
"""Stands for a value that is not there."""


def value_at(data: Any, path: Iterable[str | int], default: Any = None) -> Any:
    """Return the value at a path, or the default if nothing is there."""
    for step in path:
        if isinstance(data, dict):
            data = data.get(step, MISSING)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return default
        if data is MISSING:
            return default
    return data


def copied(value: Any) -> Any:
    """Return a copy whose mappings can be changed one by one; scalars are shared."""
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items()}
    return [copied(each) for each in value] if isinstance(value, list) else value
