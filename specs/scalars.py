"""YAML scalars that remember their text, and the field types that read them.

A plain (unquoted) scalar has two readings: the text as written and the value that YAML 1.2's
core schema gives it. Which one counts is decided by the field: `env: {FLAG: no, MODE: 0777,
AT: 12:30:00}` are three strings, `nodeCount: 2` is an integer.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from bai.specs.complaints import complaint

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")

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
        if _INT.fullmatch(self):
            return int(self)
        if _FLOAT.fullmatch(self) and not _LEADING_ZERO.fullmatch(self):
            return float(self)
        return str(self)


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
        case str():
            shown = value if len(value) <= 40 else value[:37] + "..."
            return f"the string {shown!r}"
        case dict():
            return "a mapping"
        case list():
            return "a list"
    return f"a {type(value).__name__}"


def _mismatch(expected: str, value: object) -> PydanticCustomError:
    return complaint("BAI203", f"expected {expected}, found {kind_of(value)}")


def _integer(value: Any) -> int:
    read = value.value if isinstance(value, Plain) else value
    if isinstance(read, int) and not isinstance(read, bool):
        return read
    raise _mismatch("an integer", value)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (bool, int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    raise _mismatch("a string", value)


Int = Annotated[int, BeforeValidator(_integer)]
"""An integer, written without quotes."""

Text = Annotated[str, BeforeValidator(_text)]
"""A string. An unquoted number or `no` is taken as the text that was written."""
