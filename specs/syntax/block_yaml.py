"""Usual YAML to plain data: blocks of plain keys and scalars, as nearly all job files are.

yaml-rs, a compiled parser, is ten times as fast as events of libyaml that Python gathers, and is
imported in a tenth of the time. Where the two may differ, a text is left to the events: flow
collections, anchors and tags, directives and several documents, and numbers of other forms than
those of YAML 1.2. A property test compares what is read with the reader.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

_MARKS: Final = ("\t", "<<", "\n---", "\n...", "\n%", " " * 50, "- " * 9)
"""Tabs, merges, documents, directives and deep nesting."""
_BEGINNINGS: Final = ("---", "...", "%")
"""The same of documents and directives, at the begin of a text."""
_INDICATORS: Final = "&*!{[?"
"""Characters of anchors, aliases, tags, flow collections and long keys: elsewhere they are text."""
_NODE: Final = re.compile(r"(?:^|[-:?])[ ]*[&*!{\[?]", re.MULTILINE)
"""How a node begins with one of them."""
_NUMBER: Final = re.compile(r"[ ][-+]?(?:0[0-9xobXOB_]|\.[inIN]|[-+0-9.eE]*_|[0-9.]{17})")
"""How numbers begin that are read in several ways."""


def _is_unusual(text: str) -> bool:
    return (
        text.startswith(_BEGINNINGS)
        or any(mark in text for mark in _MARKS)
        or (any(mark in text for mark in _INDICATORS) and _NODE.search(text) is not None)
        or _NUMBER.search(text) is not None
    )


def read_blocks(text: str) -> Any:
    """Return the data of the one document in a text; None if the text is not usual.

    Args:
        text: characters that YAML allows.
    """
    if not text.endswith("\n") or _is_unusual(text):
        return None
    from yaml_rs import DuplicateKeyPolicy, YAMLDecodeError, loads

    try:
        data = loads(text, parse_datetime=False, duplicate_key_policy=DuplicateKeyPolicy.Error)
    except YAMLDecodeError:
        return None
    return data if type(data) in (dict, list) and _is_usual(data) else None


def _is_usual(value: dict[Any, Any] | list[Any]) -> bool:
    """Return whether all keys below a value are strings, and no text is a line end alone.

    yaml-rs makes that of an empty block scalar at the end of a text.
    """
    inner: Collection[Any] = value
    if type(value) is dict:
        if any(type(key) is not str for key in value):
            return False
        inner = value.values()
    return "\n" not in inner and all(
        _is_usual(each) for each in inner if type(each) is dict or type(each) is list
    )
