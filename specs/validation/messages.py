"""The finding for each error of the models: message, place, hint and fix."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel

from bai.specs.document import Document, error_at, value_at
from bai.specs.findings import Finding, Path, Span
from bai.specs.models import base
from bai.specs.models.base import field_docstrings
from bai.specs.models.shape import fields, model_at
from bai.specs.names import nearest
from bai.specs.parameters.references import references
from bai.specs.secret_places import is_secret_place
from bai.specs.source.edits import text_fix, unquote_number, word_fix
from bai.specs.source.places import inner_span
from bai.specs.source.plain_scalar import kind_of
from bai.specs.validation.examples import form_hint, mount_hint
from bai.specs.validation.model_errors import ModelError
from bai.specs.validation.spec_keys import SpecKeys
from bai.specs.words_of_batch_ai import spec_word

_PATTERNS: Final = {
    base.NAME_PATTERN: ("name", "1 to 64 letters, digits, `-` and `_`, not `-` first"),
    base.VARIABLE_PATTERN: ("name of a variable", "letters, digits and `_`, not a digit first"),
}
"""Pattern of a field -> what its values are called, and the rule in words."""
_SPEC: Final = ("spec",)
_DOUBLED: Final = ("spec", "spec")
_AT_KEY: Final = frozenset(("BAI502", "BAI503", "BAI701", "BAI702", "BAI305"))
"""Codes of what is wrong with a key rather than with the value behind it."""


def finding_of(error: ModelError, document: Document, keys: SpecKeys) -> Finding:
    """Return the finding for one error of the models.

    Args:
        error: what is wrong.
        document: the spec.
        keys: the meanings of its unknown keys.
    """
    if error.code.startswith("BAI"):
        found = own_finding(error.code, error.path, error.context, document)
    else:
        found = _pydantic_finding(error, document, keys)
    if found.code == "BAI203" and found.hint is None:
        return found.replaced(hint=form_hint(error.path, document))
    if found.code == "BAI501" and (hint := mount_hint(error.path, document)):
        return found.replaced(hint=hint)
    return found


def own_finding(code: str, path: Path, context: Mapping[str, Any], document: Document) -> Finding:
    """Return the finding for an error that a model of ours raised.

    Args:
        code: the finding's code.
        path: of the value that was validated.
        context: the rest of the finding.
        document: the spec.
    """
    whole, path = path, (*path, *context.get("at", ()))
    key = next((step for step in reversed(path) if isinstance(step, str)), None)
    name = f"{key}: " if key and code == "BAI203" else ""
    found = error_at(
        code, name + context["message"], document, path, context.get("hint"), key=code in _AT_KEY
    )
    if path not in document.values and (option := _option_span(whole, str(path[-1]), document)):
        return found.replaced(span=option)
    if meant := context.get("meant"):
        return found.replaced(fix=text_fix(document, path, meant))
    return found.replaced(fix=unquote_number(document, path)) if context.get("unquoted") else found


def _option_span(path: Path, name: str, document: Document) -> Span | None:
    """Return where an option of the mount's line at a path stands; None if it is not there."""
    line = value_at(document.data, path)
    if not isinstance(line, str):
        return None
    match = re.search(rf"[?&]({re.escape(name)}(?:=[^&]*)?)(?:&|$)", line)
    if match is None:
        return None
    substitutes = document.substitutes_at(path)
    return inner_span(document.span(path), document.text, line, *match.span(1), substitutes)


def _pydantic_finding(error: ModelError, document: Document, keys: SpecKeys) -> Finding:
    """Return the finding for an error that pydantic finds by itself."""
    path, value, context = error.path, error.value, error.context
    name, model = str(path[-1]) if path else "", model_at(path[:-1], keys.root)
    match error.code:
        case "extra_forbidden" if path == _DOUBLED:
            hint = "remove this line, and indent the keys below it like it"
            return error_at("BAI201", "spec stands in spec", document, path, hint, key=True)
        case "extra_forbidden" if path == _SPEC:
            hint = "remove it: the location and the tags of a workspace stand in its metadata"
            return error_at("BAI201", "a workspace has no spec", document, path, hint, key=True)
        case "extra_forbidden":
            message = f"unknown key {name!r}"
            found = error_at("BAI201", message, document, path, keys.hint(path), key=True)
            return found.replaced(fix=keys.fix(path))
        case "missing":
            what = _line_to_add(model, name) or _description(model, name)
            message = f"the key {name!r} is missing"
            return error_at("BAI202", message, document, path[:-1], what, key=True)
        case "literal_error":
            return _no_choice(error, document)
        case "string_pattern_mismatch":
            what, rule = _PATTERNS[context["pattern"]]
            if error.is_of_key and ":" in str(value):
                # What is behind the colon may be a secret.
                value, rule = f"{value.partition(':')[0]}:...", "write a space behind the colon"
            elif error.is_of_key and references(str(value)):
                rule = "values can have parameters in them, keys can't"
            message = f"{_shown(value)} is no {what}"
            return error_at("BAI302", message, document, path, rule, key=error.is_of_key)
        case "string_too_short":
            message, what = f"{name or 'the key'} is empty", _description(model, name)
            return error_at("BAI304", message, document, path, what, key=error.is_of_key)
        case "greater_than_equal" | "less_than_equal":
            is_least = error.code.startswith("greater")
            bound = f"at least {context['ge']}" if is_least else f"at most {context['le']}"
            message = f"{name}: expected {bound}, found {value}"
            return error_at("BAI303", message, document, path)
        case "too_long":
            most, count = context["max_length"], context["actual_length"]
            message = f"{name}: expected at most {most} items, found {count}"
            return error_at("BAI303", message, document, path)
        case "model_type" | "model_attributes_type" | "dict_type":
            return error_at("BAI203", _expected(path, "a mapping", value), document, path)
        case "list_type":
            return error_at("BAI203", _expected(path, "a list", value), document, path)
    return error_at("BAI203", f"{name}: {error.text.lower()}", document, path)


def _no_choice(error: ModelError, document: Document) -> Finding:
    """Return the finding for a value that is none of those that its key can have."""
    path, value, expected = error.path, error.value, error.context["expected"]
    if value is None:
        return error_at("BAI203", _expected(path, "one of its values", value), document, path)
    valid = re.findall("'([^']+)'", expected)
    hint = f"expected {expected}"
    named = spec_word(value) if isinstance(value, str) else None
    meant = named if named in valid else None
    if isinstance(value, str) and (near := meant or nearest(value, valid)):
        hint = f"did you mean {near}? {hint}"
    message = f"{path[-1] if path else ''} can't be {_shown(value)}"
    found = error_at("BAI301", message, document, path, hint)
    fix = text_fix(document, path, meant) if meant else word_fix(document, path, valid)
    return found.replaced(fix=fix)


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
