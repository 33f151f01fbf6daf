"""Words for the mistakes that pydantic finds by itself: unknown keys, missing keys, wrong types."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from bai.specs.document import Document, error_at
from bai.specs.findings import Finding, Path
from bai.specs.models import base
from bai.specs.models.docstrings import field_docstrings
from bai.specs.models.shape import fields
from bai.specs.names import nearest
from bai.specs.secret_places import is_secret_place
from bai.specs.source.edits import word_fix
from bai.specs.source.plain_scalar import kind_of
from bai.specs.validation.unknown_keys import renaming, unknown_key_hint

PATTERNS = {
    base.NAME_PATTERN: ("name", "1 to 64 letters, digits, `-` and `_`"),
    base.VARIABLE_PATTERN: ("name of a variable", "letters, digits and `_`, not a digit first"),
}
"""Pattern of a field -> what its values are called, and the rule in words."""


def explain(
    code: str,
    path: Path,
    context: dict[str, Any],
    detail: Any,
    document: Document,
    model: type[BaseModel] | None,
) -> Finding:
    """Return the finding for one of pydantic's own errors.

    Args:
        code: pydantic's error type.
        path: the wrong value's path, or the missing key's.
        context: the error's own details.
        detail: the whole error.
        document: where it stands.
        model: the model that holds the last step of `path`, if one does.
    """
    name = str(path[-1]) if path else ""
    value = detail.get("input")
    match code:
        case "extra_forbidden":
            hint = unknown_key_hint(path, model, document)
            found = error_at("BAI201", f"unknown key {name!r}", document, path, hint, key=True)
            return replace(found, fix=renaming(path, model, document))
        case "missing":
            what = _line_to_add(model, name) or _description(model, name)
            message = f"the key {name!r} is missing"
            return error_at("BAI202", message, document, path[:-1], what, key=True)
        case "literal_error":
            valid = re.findall("'([^']+)'", context["expected"])
            if value is None:
                message = _expected(path, "one of its values", value)
                return error_at("BAI203", message, document, path)
            message = f"{name} can't be {_shown(value)}"
            hint = f"expected {context['expected']}"
            if isinstance(value, str) and (near := nearest(value, valid)):
                hint = f"did you mean {near}? {hint}"
            wrong = error_at("BAI301", message, document, path, hint)
            return replace(wrong, fix=word_fix(document, path, valid))
        case "string_pattern_mismatch":
            what, rule = PATTERNS[context["pattern"]]
            at_key = detail["loc"][-1] == "[key]"
            if at_key and ":" in str(value):
                # What is behind the colon may be a secret.
                value, rule = f"{value.partition(':')[0]}:...", "write a space behind the colon"
            message = f"{_shown(value)} is no {what}"
            return error_at("BAI302", message, document, path, rule, key=at_key)
        case "string_too_short":
            message = f"{name or 'the key'} is empty"
            what, at_key = _description(model, name), detail["loc"][-1] == "[key]"
            return error_at("BAI304", message, document, path, what, key=at_key)
        case "greater_than_equal" | "less_than_equal":
            bound = "at least" if code.startswith("greater") else "at most"
            limit = context["ge" if code.startswith("greater") else "le"]
            message = f"{name}: expected {bound} {limit}, found {value}"
            return error_at("BAI303", message, document, path)
        case "too_long":
            most, found = context["max_length"], context["actual_length"]
            message = f"{name}: expected at most {most} items, found {found}"
            return error_at("BAI303", message, document, path)
        case "model_type" | "model_attributes_type" | "dict_type":
            return error_at("BAI203", _expected(path, "a mapping", value), document, path)
        case "list_type":
            return error_at("BAI203", _expected(path, "a list", value), document, path)
    return error_at("BAI203", f"{name}: {detail['msg'].lower()}", document, path)


def _expected(path: Path, expected: str, value: object) -> str:
    where = f"{path[-1]}: " if path else ""
    hidden = isinstance(value, str) and is_secret_place(path)
    return f"{where}expected {expected}, found {'a string' if hidden else kind_of(value)}"


def _shown(value: object) -> str:
    return repr(str(value)) if isinstance(value, str) else kind_of(value)


def _line_to_add(model: type[BaseModel] | None, key: str) -> str | None:
    """Return a sentence with the whole line of a key that has one value only; else None."""
    annotation = fields(model)[key].annotation if model else None
    values = get_args(annotation) if get_origin(annotation) is Literal else ()
    return f"add the line {key}: {values[0]}" if len(values) == 1 else None


def _description(model: type[BaseModel] | None, key: str) -> str | None:
    return field_docstrings(model).get(key) if model else None
