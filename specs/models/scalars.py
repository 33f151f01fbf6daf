"""The types of scalar fields: what a field reads from a scalar is up to the field.

`environment: {FLAG: no, MODE: 0777, AT: 12:30:00}` are three strings, `nodeCount: 2` is an integer.
"""

from __future__ import annotations

import math
import re
from numbers import Integral, Real
from typing import Annotated, Any

from pydantic import BeforeValidator, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from bai.specs.models.errors import model_error
from bai.specs.source.plain_scalar import Plain, kind_of

SCALAR_SCHEMA = {"type": ["string", "number", "boolean"]}
"""JSON Schema of a string that YAML lets a person write without quotes."""

_REFERENCES = frozenset(("env", "keyVault"))
"""Keys of a reference to a secret, which some write where only a string can stand."""
_WHOLE = re.compile(r"\s*([-+]?[0-9][0-9_]{0,19})(?:\.0*)?\s*", re.ASCII)


def _mismatch(
    expected: str, value: object, hint: str | None = None, *, unquoted: bool = False
) -> PydanticCustomError:
    message = f"expected {expected}, found {kind_of(value)}"
    return model_error("BAI203", message, hint, unquoted=unquoted)


def read_integer(value: Any, expected: str = "a whole number") -> int:
    """Return the integer that a field reads; `expected` is what the message of an error says."""
    read = value.value if isinstance(value, Plain) else value
    if isinstance(read, int) and not isinstance(read, bool):
        return read
    raise _mismatch(expected, value, _integer_hint(value), unquoted=True)


def _flag(value: Any) -> bool:
    read = value.value if isinstance(value, Plain) else value
    if isinstance(read, bool):
        return read
    raise _mismatch("true or false", value, unquoted=True)


def _integer_hint(value: Any) -> str | None:
    """Return how to write what was meant as an integer; None for what is no number."""
    if not isinstance(value, (str, int, float)):
        return None
    if found := _WHOLE.fullmatch(str(value)):
        number = int(found[1].replace("_", ""))
        quoted = isinstance(value, str) and not isinstance(value, Plain)
        return f"write {number}{', without quotes' if quoted else ''}"
    return None


def _text(value: Any) -> str:
    if isinstance(value, str):
        if "\0" in value:
            raise model_error("BAI302", "a string can't hold a NUL character", "leave it out")
        return str(value)
    if isinstance(value, (bool, int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    raise _mismatch("a string", value, _reference_hint(value))


def _reference_hint(value: Any) -> str | None:
    if isinstance(value, dict) and len(value) == 1 and not _REFERENCES.isdisjoint(value):
        return "references to secrets stand under `secrets`, where a job has such"
    return None


class _TextAnnotation:
    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(_text, handler(source))

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(core), **SCALAR_SCHEMA}


def scalar_of(value: Any) -> str:
    """Return a scalar as it is written: `Plain` where a spec would need no quotes.

    Raises:
        PydanticCustomError: it is none.
    """
    match value:
        case str():
            return value
        case bool():
            return Plain(str(value).lower())
        case Integral():
            return Plain(int(value))
        case Real() if math.isfinite(value):
            return Plain(float(value))
    raise _mismatch("a string, a number or a boolean", value)


class _ScalarAnnotation:
    """Keeps a scalar as it is written, so that its value can be looked at later."""

    def __get_pydantic_core_schema__(self, _: Any, __: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(scalar_of)

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, __: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return dict(SCALAR_SCHEMA)


def _number(value: Any) -> int | float:
    read = value.value if isinstance(value, Plain) else value
    if isinstance(read, int | float) and not isinstance(read, bool):
        return read
    raise _mismatch("a number", value, unquoted=True)


class _NumberAnnotation:
    def __get_pydantic_core_schema__(self, _: Any, __: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(_number)

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, __: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": "number"}


AS_SCALAR = _ScalarAnnotation()
"""Annotation of scalars of any type."""

Scalar = Annotated[str, AS_SCALAR]
"""A scalar as it is written; `Plain` if it has no quotes, and may so be a number."""

Number = Annotated[float, _NumberAnnotation()]
"""A number; whole ones stay integers."""

AS_INTEGER = BeforeValidator(read_integer)
"""Annotation of integers. Constraints stand before it, so that schemas show them."""

AS_TEXT = _TextAnnotation()
"""Annotation of strings. Constraints stand before it, so that schemas show them."""

Text = Annotated[str, AS_TEXT]
"""A string. An unquoted number or `no` is taken as the text that was written."""

Flag = Annotated[bool, BeforeValidator(_flag)]
"""True or false."""
