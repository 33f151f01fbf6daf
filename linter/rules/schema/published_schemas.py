"""Rules about what the published schemas take, where more is known than they say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.batchai.recognition import SCHEMA_KINDS
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import EVERY_TEXT, Form, rule, without
from bai.linter.violation import Violation
from bai.schemas.validators import SchemaKind, is_valid, schema, validate

_CALL = r"\[\s*[A-Za-z][\w.]*\(.*\).*\]"
"""What is an expression even where any text may stand: `[ -e a ] || [ -e b ]` is a command."""


@rule("BAI208", accepts={EVERY_TEXT: without(r"^\[")})
def template_expressions(resource: ResourceView) -> Iterator[Violation]:
    """Values are written themselves, not as ARM template expressions."""
    kind = SCHEMA_KINDS.get(resource.kind)
    if kind is None:
        return
    for path, text in resource.texts:
        if not is_expression(text):
            continue
        keys = [step for step in path if isinstance(step, str)]
        names = _computed(kind)
        expected = names.get(keys[-1]) if keys else None
        # Where no expression is allowed either, the schema reports the wrong type.
        if expected == "expression" or (expected == "text" and _is_call(text)):
            yield Violation(path, "only ARM templates know expressions", "write the value itself")


def _is_call(text: str) -> bool:
    return bool(re.fullmatch(_CALL, text, re.DOTALL))


@cache
def _computed(kind: SchemaKind) -> dict[str, str]:
    """Return key -> `expression` where a schema takes one, `text` where it takes any text."""
    data: dict[str, Any] = schema(kind)
    # Few files have anything like an expression.
    from bai.schemas.errors import EXPRESSION

    parts = [data["properties"]["properties"], *data["definitions"].values()]
    found = {}
    for part in parts:
        for key, value in part.get("properties", {}).items():
            if EXPRESSION in value.get("oneOf", ()):
                found[key] = "expression"
            elif value.get("type") == "string":
                found[key] = "text"
    return found


@rule("BAI206", form=Form.SPEC)
def wire_form(resource: ResourceView) -> Iterator[Violation]:
    """What is sent passes the published schema."""
    kind = SCHEMA_KINDS.get(resource.kind)
    # Messages for what breaks the schema in files are in `bai.linter.schema`.
    if kind and not is_valid(kind, resource.wire):
        for error in validate(kind, resource.wire):
            yield Violation(error.path, error.message)
