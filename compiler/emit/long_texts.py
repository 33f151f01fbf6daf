"""Long texts in YAML: folded to lines that can be read, and written once where they are equal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any, Final

_WIDTH: Final = 100
_STEP: Final = 2
"""Spaces of each level of a block."""
_PRINTABLE: Final = re.compile(r"[!-~\xa1-\ud7ff]+(?: [!-~\xa1-\ud7ff]+)+")
"""Words with single spaces between them: what folding keeps as it is."""


def fold_long_texts(data: Any) -> Any:
    """Return plain data with its long texts folded, for `yaml_text`.

    A text that makes its line longer than 100 characters stands on several lines (`>-`), broken
    between words. Where it occurs again, it is an alias (`*name`) of the first one.
    """
    return _folded(data, "", 0, {})


def _folded(value: Any, key: str, indent: int, known: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {name: _folded(v, name, indent + _STEP, known) for name, v in value.items()}
    if isinstance(value, list):
        return [_folded(item, key, indent + _STEP, known) for item in value]
    if not isinstance(value, str):
        return value
    if value in known:
        return known[value]
    # The key stands one level further left than what is inside.
    line = indent - _STEP + len(f"{key}: {value}")
    if line <= _WIDTH or not _PRINTABLE.fullmatch(value):
        return value
    from ruamel.yaml.scalarstring import FoldedScalarString

    text: Any = FoldedScalarString(value)
    text.fold_pos = _breaks(value, _WIDTH - indent)
    names = {each.anchor.value for each in known.values()}
    text.yaml_set_anchor(next(name for name in _names(key) if name not in names))
    known[value] = text
    return text


def _breaks(text: str, width: int) -> list[int]:
    """Return the places of the spaces at which lines of at most `width` end, if words allow it."""
    places: list[int] = []
    start = 0
    while len(text) - start > width:
        place = text.rfind(" ", start, start + width + 1)
        if place < 0:
            place = text.find(" ", start)
        if place < 0:
            break
        places.append(place)
        start = place + 1
    return places


def _names(key: str) -> Iterator[str]:
    """Iterate over names for the anchor of the text behind a key: `args`, `args2`."""
    name = re.sub(r"\W", "", key, flags=re.ASCII) or "text"
    yield name
    yield from (f"{name}{number}" for number in count(2))
