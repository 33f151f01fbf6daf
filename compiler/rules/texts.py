"""The strings of a wire form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bai.specs.findings import Path


def texts(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Iterate over (path, text) of every string below `value`, which stands at `path`."""
    if isinstance(value, str):
        yield path, value
    elif type(value) is dict:
        for key, inner in value.items():
            yield from texts(inner, (*path, key))
    elif type(value) is list:
        for index, inner in enumerate(value):
            yield from texts(inner, (*path, index))
