"""Schema errors with messages and places, made from jsonschema's errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Path = tuple[str | int, ...]

EXPRESSION: Final = {"$ref": "#/definitions/expression"}
"""The last branch of every `oneOf [what is meant, ARM template expression]`."""

_KINDS: Final = {
    "array": "a list",
    "boolean": "a boolean",
    "integer": "a whole number",
    "object": "a mapping",
    "string": "a string",
}


@dataclass(frozen=True, slots=True)
class SchemaError:
    """One place where a document breaks its schema. Holds no value of the document."""

    path: Path
    """Place of the wrong value; for a missing key, the place where it should stand."""
    message: str
    expected: str
    """What the schema wants at `path`."""
    keyword: str
    """The schema's keyword that failed: type, enum, required, ..."""
    valid: tuple[str, ...] = ()
    """The names that are valid at `path`, of keys or of values, where there are just some."""


def explain(error: ValidationError) -> Iterator[SchemaError]:
    """Iterate over the causes of an error of jsonschema; a cause may be repeated."""
    path: Path = tuple(error.absolute_path)
    rule: Any = error.validator_value
    found: Any = error.instance
    schema: Any = error.schema
    keyword = str(error.validator)
    where = f"{_name(path)}: " if path else ""
    match keyword:
        case "oneOf" if EXPRESSION in rule:
            for inner in error.context or ():
                # A wrong mapping was not meant to be an expression.
                if inner.schema_path[0] == 0:
                    yield from explain(inner)
        case "oneOf":
            yield from _not_exactly_one(path, where, rule, found)
        case "required":
            for key in rule:
                if key not in found:
                    expected = schema["properties"][key]["description"]
                    message = f"{where}the key {key!r} is missing"
                    yield SchemaError((*path, key), message, expected, keyword)
        case "additionalProperties":
            expected = f"one of {', '.join(schema['properties'])}"
            for key in found:
                if key not in schema["properties"]:
                    message = f"{where}unknown key {key!r}"
                    valid = tuple(schema["properties"])
                    yield SchemaError((*path, key), message, expected, keyword, valid)
        case "enum" if isinstance(found, str):
            # The value itself is not shown: it may be a misplaced secret.
            expected = f"one of {', '.join(rule)}"
            message = f"{where}expected {expected}"
            yield SchemaError(path, message, expected, keyword, tuple(rule))
        case "type":
            expected = " or ".join(
                _KINDS[each] for each in ([rule] if isinstance(rule, str) else rule)
            )
            message = f"{where}expected {expected}, found {_kind(found)}"
            yield SchemaError(path, message, expected, keyword, tuple(schema.get("enum", ())))
        case "enum":
            pass  # A value of another type also fails by its type, which says more.
        case _:
            raise AssertionError(f"no words for the keyword {keyword}")


def _not_exactly_one(path: Path, where: str, rule: Any, found: Any) -> Iterator[SchemaError]:
    """Explain `oneOf [{required: [a]}, {required: [b]}, ...]`."""
    if not isinstance(found, dict):
        return  # What is no mapping fails by its type too, and that says more.
    keys = [key for branch in rule for key in branch["required"]]
    expected = f"exactly one of {', '.join(keys)}"
    present = [key for key in found if key in keys]
    place = (*path, present[1]) if present else path
    shown = " and ".join(present) or "none"
    yield SchemaError(
        place, f"{where}expected {expected}; found {shown}", expected, "oneOf", tuple(keys)
    )


def _name(path: Path) -> str:
    """Return the last key of a path with the indexes behind it: `azureFileShares[0]`."""
    text = ""
    for step in reversed(path):
        if not isinstance(step, int):
            return f"{step}{text}"
        text = f"[{step}]{text}"
    return text


_MOST_DIGITS: Final = 100
"""Longer numbers are texts to some readers, but not to people."""


def _kind(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "a boolean"
        case int():
            return "a whole number"
        case float():
            return "a number with a decimal point"
        case str() if len(value) > _MOST_DIGITS and value.lstrip("+-").isdecimal():
            return f"a number of {len(value.lstrip('+-'))} digits"
        case str():
            return "a string"
        case dict():
            return "a mapping"
    return "a list"
