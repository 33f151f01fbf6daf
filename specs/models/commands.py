"""Command lines and arguments: one text, or a list of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from bai.specs.models.base import Filled
from bai.specs.models.errors import model_error
from bai.specs.models.scalars import SCALAR_SCHEMA, Text
from bai.specs.source.plain_scalar import kind_of


@dataclass(frozen=True)
class _Line:
    """Reads a text as it is, and a list as words, each of which is one word of the line."""

    is_command: bool
    """Whether the first word is a program, so that there must be one."""

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        text = handler.generate_schema(Filled if self.is_command else Text)
        words = handler.generate_schema(list[Text])
        if self.is_command:
            words = core_schema.no_info_after_validator_function(_with_program, words)
        text = core_schema.no_info_before_validator_function(_no_mapping, text)
        return core_schema.tagged_union_schema(
            {"[text]": text, "[list]": words},
            discriminator=lambda value: "[list]" if isinstance(value, list) else "[text]",
        )

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        text: dict[str, Any] = dict(SCALAR_SCHEMA)
        words: dict[str, Any] = {"type": "array", "items": SCALAR_SCHEMA}
        if self.is_command:
            text["minLength"] = words["minItems"] = 1
        return {"anyOf": [text, words]}


def _no_mapping(value: Any) -> Any:
    if isinstance(value, (str, int, float)):
        return value
    raise model_error("BAI203", f"expected a string or a list of words, found {kind_of(value)}")


def _with_program(words: list[str]) -> list[str]:
    if not words or not words[0]:
        message = "the list of words begins with no program"
        raise model_error("BAI304", message, "write the program first: [python, train.py]")
    if len(words[0].split()) > 1:
        message = "the list is one command, word by word, and its first item is more than a word"
        hint = "write each word as an item, or one text: several commands have && between them"
        raise model_error("BAI302", message, hint, (0,))
    return words


Arguments = Annotated[str | list[str], _Line(is_command=False)]
"""Arguments of a program: as one text, or word by word."""

CommandLine = Annotated[str | list[str], _Line(is_command=True)]
"""A command line: as one text for a shell, or one command word by word."""


def is_line(annotation: Any) -> bool:
    """Return whether an annotation without `Annotated` and `| None` is one of those above."""
    return bool(annotation == str | list[str])
