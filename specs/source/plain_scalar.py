"""YAML scalars that remember their text.

A plain (unquoted) scalar has two readings: the text as written and the value that YAML 1.2's
core schema gives it. Which one counts is decided by the field that it fills.
"""

from __future__ import annotations

import re
from typing import Any, Final

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)|0o[0-7]+|0x[0-9a-fA-F]+")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
LONGEST_NUMBER: Final = 400
"""Digits; Python refuses to read an integer of thousands of them."""

NULLS: Final = frozenset(("", "~", "null", "Null", "NULL"))
"""The plain scalars that are no value at all."""


class Plain(str):
    """The text of an unquoted scalar. A `str` for fields that want one."""

    __slots__ = ()

    @property
    def value(self) -> str | int | float | bool:
        """The value in YAML 1.2's core schema; numbers with a leading zero stay text."""
        if self in ("true", "True", "TRUE"):
            return True
        if self in ("false", "False", "FALSE"):
            return False
        if len(self) > LONGEST_NUMBER:
            return str(self)
        if _INT.fullmatch(self):
            return int(self, 0)
        if _FLOAT.fullmatch(self) and not _LEADING_ZERO.fullmatch(self):
            return float(self)
        return str(self)


def resolved(data: Any) -> Any:
    """Return a document's data with the YAML 1.2 values of its scalars."""
    if isinstance(data, dict):
        return {key: resolved(value) for key, value in data.items()}
    if isinstance(data, list):
        return [resolved(value) for value in data]
    return data.value if isinstance(data, Plain) else data


def kind_of(value: object) -> str:
    """Return what a person calls a value: `a mapping`, `the string 'two'`, `nothing`."""
    if isinstance(value, Plain):
        value = value.value
    match value:
        case None:
            return "nothing"
        case bool():
            return f"the boolean {str(value).lower()}"
        case int() | float():
            return f"the number {value}"
        case str() if len(value) > LONGEST_NUMBER and value.lstrip("+-").isdecimal():
            return f"a number of {len(value.lstrip('+-'))} digits"
        case str():
            shown = value if len(value) <= 40 else value[:37] + "..."
            return f"the string {shown!r}"
        case dict():
            return "a mapping"
        case list():
            return "a list"
    return f"a {type(value).__name__}"
