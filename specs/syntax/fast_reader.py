"""Files to plain data, without positions.

Parses clean files without positions; anything unusual is left to `bai.specs.syntax.reader`, which
reads the same data from whatever is read here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bai.specs.source.lines import BYTE_ORDER_MARK
from bai.specs.source.plain_scalar import LONGEST_NUMBER, NULLS, Plain
from bai.specs.syntax.characters import NOT_TEXT, NOT_YAML

MAX_BYTES: Final = 1_000_000
"""Larger files get the closer look: the reader's bounds hold for them."""
MAX_DEPTH: Final = 50


_TEXT_BEGINS_WITH: Final = frozenset("$/abcdeghijklmopqrsuvwxyzABCDEGHIJKLMOPQRSUVWXYZ")
"""What no boolean, number or null begins with."""
_CONTROLS: Final = bytes(code for code in (*range(0x20), 0x7F) if code not in b"\t\n")
"""All that ASCII has of them, but for tabs and line ends."""


class _CloserLookError(Exception):
    """Something is not plain."""


def read_fast(content: bytes) -> list[Any] | None:
    """Return the data of a file's documents, or None if only the reader can judge it.

    Mappings are dicts with string keys, sequences lists; scalars have their YAML 1.2 values.
    """
    if len(content) > MAX_BYTES:
        return None
    try:
        text = content.decode("utf-8")
        if not _is_plain(content, text):
            return None
        if text.lstrip()[:1] in ("{", "["):
            return [_json(text)]
        # Imported here, as below, since JSON needs none of it.
        from bai.specs.syntax.block_yaml import read_blocks

        blocks = read_blocks(text)
        return [blocks] if blocks is not None else _yaml(text)
    except (ValueError, RecursionError, _CloserLookError):
        return None


def _is_plain(content: bytes, text: str) -> bool:
    """Return whether all characters can stand in text and in YAML, and lines end as usual."""
    if content.isascii():
        # Faster than any regular expression.
        return len(content.translate(None, _CONTROLS)) == len(content)
    # Of several byte order marks, two readers make two things.
    if "\r" in text or BYTE_ORDER_MARK in text[1:]:
        return False
    return not (re.search(NOT_TEXT, text) or re.search(NOT_YAML, text))


def _json(text: str) -> Any:
    # Half characters can only be written as escapes.
    if "\\u" in text:
        raise _CloserLookError
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _check_depth(text)
    return json.loads(
        text,
        object_pairs_hook=_unique,
        parse_int=partial(_number, int),
        parse_float=partial(_number, float),
        parse_constant=_refuse,
    )


def _check_depth(text: str) -> None:
    depth = 0
    for character in text:
        if character in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                raise _CloserLookError
        elif character in "}]":
            depth -= 1


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        raise _CloserLookError
    return mapping


def _number(kind: Callable[[str], float], text: str) -> float:
    if len(text) > LONGEST_NUMBER:
        raise _CloserLookError
    return kind(text)


def _refuse(_: str) -> Any:
    raise _CloserLookError


def _yaml(text: str) -> list[Any]:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    get_event, scalar = loader.get_event, yaml.ScalarEvent
    mapping_start, sequence_start = yaml.MappingStartEvent, yaml.SequenceStartEvent
    ends = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
    documents: list[Any] = []
    here: list[Any] = documents
    stack: list[tuple[list[Any], bool]] = []
    try:
        while True:
            event = get_event()
            kind = type(event)
            if kind is scalar:
                if event.tag or event.anchor:
                    raise _CloserLookError
                text = event.value
                if event.style or text[:1] in _TEXT_BEGINS_WITH:
                    here.append(text)
                else:
                    here.append(None if text in NULLS else Plain(text).value)
            elif kind is mapping_start or kind is sequence_start:
                if event.tag or event.anchor or len(stack) > MAX_DEPTH:
                    raise _CloserLookError
                stack.append((here, kind is mapping_start))
                here = []
            elif kind in ends:
                items = here
                here, is_mapping = stack.pop()
                here.append(_mapping(items) if is_mapping else items)
            elif kind is yaml.StreamEndEvent:
                # Empty documents are the reader's to judge.
                if not documents or None in documents:
                    raise _CloserLookError
                return documents
            elif kind is yaml.AliasEvent:
                raise _CloserLookError
    except yaml.YAMLError as error:
        raise _CloserLookError from error
    finally:
        loader.dispose()


def _mapping(items: list[Any]) -> dict[str, Any]:
    """Return the mapping of keys and values that follow each other."""
    mapping: dict[str, Any] = {}
    rest = iter(items)
    for key in rest:
        # A list or a mapping, which YAML takes for a key, can't be one in Python.
        if type(key) is not str or key in mapping:
            raise _CloserLookError
        mapping[key] = next(rest)
    if "<<" in mapping:
        raise _CloserLookError
    return mapping
