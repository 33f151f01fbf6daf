"""Short forms: a bare scalar in place of a mapping."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema


@dataclass(frozen=True, eq=False)
class ShortForm:
    """An annotation: the field may also be written in a shorter way."""

    expand: Callable[[Any], Any]
    """Turns the short form into the full one, and lets everything else pass."""
    schema: dict[str, Any]
    """JSON Schema of the short form."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.expand, handler(source))

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"anyOf": [self.schema, handler(core)]}


def short_form(key: str, schema: dict[str, Any]) -> ShortForm:
    """Return an annotation that reads a bare scalar as `{key: scalar}`."""

    def expand(value: Any) -> Any:
        return {key: value} if isinstance(value, (str, int, float)) else value

    return ShortForm(expand, schema)
