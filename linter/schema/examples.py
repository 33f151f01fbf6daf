"""Examples of the right form of a wrong value in one of Batch AI's files, as JSON."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from bai.compiler.batchai.expressions import is_expression
from bai.schemas.errors import SchemaError
from bai.schemas.fields import Field, Grammar, batchai_grammar
from bai.schemas.validators import SchemaKind
from bai.specs.findings import Path
from bai.specs.secret_places import is_secret_place, names_secret

_BY_ID: Final = frozenset(("cluster", "component", "fileServer", "sourceVault", "subnet"))
"""Keys of references to other resources."""

_LONGEST: Final = 100
"""Most characters of an example; a longer one says nothing more."""
_MOST: Final = 20
"""Most items in an example."""
_DEEPEST: Final = 3
"""Most mappings in each other in an example."""
_NAMES: Final = ("name", "id")
"""Keys that say what an item of a list is called."""
_ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w*)=(.*)")


_DOTS: Final = "\0"
"""Stands for what the reader must fill in."""
_LONG: Final = 20
"""Digits of no number that anybody means."""


def form_hint(kind: SchemaKind, error: SchemaError, value: Any) -> str | None:
    """Return an example to write in place of a value of a wrong type; None if there is none.

    Args:
        kind: the kind of the file.
        error: an error of the keyword `type`.
        value: the wrong value.
    """
    name = next((str(step) for step in reversed(error.path) if isinstance(step, str)), "")
    match error.expected, value:
        case _, None:
            return "give it a value, or leave the key out"
        case _, str() if is_expression(value) and error.expected != "a string":
            return "only ARM templates know expressions: write the value itself"
        case "a whole number", str() if value.removeprefix("-").isdecimal() and len(value) < _LONG:
            return "write it without quotes"
        case "a whole number", float() if value.is_integer():
            return f"write {int(value)}"
        case "a whole number", [int() as only]:
            return f"write {only}, without the brackets"
        case "a whole number", _:
            return "write a whole number, such as 2"
        case "a string", _ if error.valid:
            return f"write {' or '.join(json.dumps(word) for word in error.valid)}"
        case "a string", bool() | int() | float():
            return "write it in quotes"
        case "a string", [*_] if name == "value" or is_secret_place(error.path):
            return "write one text"
        case "a string", [*words] if _are_few(words):
            return _write(" ".join(map(str, value)))
        case "a mapping", str() if name in _BY_ID:
            return 'write {"id": ...}, with the ARM id'
        case "a mapping", [dict()]:
            return "write it without the brackets"
        case "a mapping", str() | int() | float():
            return _write(_mapping(batchai_grammar(kind), error.path, value))
        case "a list", dict() | str():
            keys = batchai_grammar(kind).keys((*error.path, 0))
            items = [(str(key), text) for key, text in _items(value)]
            names = {field.name for field in keys}
            if items and keys[0].name in _NAMES and names.isdisjoint(key for key, _ in items):
                return _write([_pair(keys, *item, error.path) for item in items])
            return "write it in brackets, even if there is only one"
    return None


def _are_few(values: list[Any]) -> bool:
    """Return whether values are scalars, and not more than fit an example."""
    fits = 0 < len(values) <= _MOST
    return fits and all(isinstance(value, (str, int, float)) for value in values)


def _items(value: Any) -> list[tuple[Any, Any]]:
    """Return the (name, value) of a mapping, or of a text such as `A=b`, where a list belongs."""
    if isinstance(value, dict):
        return list(value.items()) if _are_few(list(value.values())) else []
    match = _ASSIGNMENT.fullmatch(value)
    return [(match[1], match[2])] if match else []


def _pair(keys: list[Field], name: str, text: Any, path: Path) -> dict[str, Any]:
    first, second = keys[:2]
    hidden = is_secret_place((*path, second.name)) or names_secret(f"{name} {text}")
    return {first.name: name, second.name: _DOTS if hidden else str(text)}


def _mapping(grammar: Grammar, path: Path, value: Any, depth: int = 1) -> Any:
    """Return a mapping with the required keys; `value` is that of the first."""
    keys = grammar.keys(path)
    needed = [field for field in keys if field.required] or keys[:1]
    if isinstance(value, str) and (match := _ASSIGNMENT.fullmatch(value)) and len(needed) > 1:
        return _pair(needed, match[1], match[2], path)
    found: dict[str, Any] = {field.name: _DOTS for field in needed}
    if not needed:
        return found
    # A text with a slash is a path, not a name.
    is_path = needed[0].name in _NAMES and "/" in str(value) and len(needed) > 1
    first = needed[1] if is_path else needed[0]
    inner = (*path, first.name)
    types = first.type.split(" | ")
    if "list" in types:
        found[first.name] = [_DOTS]
    elif "mapping" in types and depth < _DEEPEST:
        found[first.name] = _mapping(grammar, inner, value, depth + 1)
    elif ("string" if isinstance(value, str) else "integer") in types:
        hidden = is_secret_place(inner) or names_secret(str(value))
        found[first.name] = _DOTS if hidden else value
    return found


def _write(example: Any) -> str | None:
    if isinstance(example, str) and names_secret(example):
        return "write one text"
    text = json.dumps(example, ensure_ascii=False).replace(json.dumps(_DOTS), "...")
    return f"write {text}" if len(text) <= _LONGEST else None
