"""The keys and values that a JSON Schema allows at a place: for completion and documentation."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import Any, Final

from bai.schemas.errors import Path
from bai.schemas.validators import SchemaKind, schema

SPEC: Final = FilePath(__file__).with_name("experiment.schema.json")
_NONE: Final[Mapping[str, str | None]] = {}
_PARAMETER: Final = "#/$defs/ParameterReference"
"""What a scalar can be nearly everywhere in a spec: it says nothing about a place."""


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a mapping."""

    name: str
    type: str
    """In a person's words: `integer from 1`, `low | normal | high`."""
    description: str
    required: bool = False
    alternative: bool = False
    """Whether it is one of several keys of which the mapping must have one."""
    values: tuple[str, ...] = ()
    """All values that it can have, where they can be listed; those of JSON as JSON."""
    is_text: bool = False
    """Whether it can be a string."""
    is_nested: bool = False
    """Whether it can only be a mapping or a list."""


class Grammar:
    """The places of one kind of file."""

    def __init__(self, schema: dict[str, Any], given: Mapping[str, str | None] = _NONE) -> None:
        """Index a schema.

        Args:
            schema: of draft 4 or 2020-12, without references to other files.
            given: values of keys of the whole file, which decide what `if` asks.
        """
        self._schema = schema
        self._given = given

    def keys(self, path: Path, present: Collection[str] = ()) -> list[Field]:
        """Return the keys that can be added to the mapping at a path, in the schema's order.

        Args:
            path: of the mapping.
            present: the keys that it has already. Where one of several is needed, and there is
                one, the others are left out.
        """
        found: dict[str, Field] = {}
        for part in self._parts(self._at(path)):
            required = part.get("required", ())
            groups = _groups(part)
            chosen = [group for group in groups if any(key in present for key in group)]
            alternatives = {key for group in groups for key in group}
            wanted = {key for group in chosen for key in group}
            for name, inner in part.get("properties", {}).items():
                if name in present or name in found:
                    continue
                if chosen and name in alternatives - wanted:
                    continue
                found[name] = self._field(
                    name,
                    [_without_null(inner)],
                    required=name in required,
                    alternative=name in alternatives,
                )
        return list(found.values())

    def field(self, path: Path) -> Field | None:
        """Return the field at a path; None if the schema does not know it."""
        schemas = self._at(path)
        if not schemas or not path:
            return None
        above = list(self._parts(self._at(path[:-1])))
        # The branches of a `oneOf` that need a key are among the parts, and may have no keys.
        whole = [part for part in above if "properties" in part]
        required = any(path[-1] in part.get("required", ()) for part in whole)
        alternative = any(path[-1] in group for part in whole for group in _groups(part))
        return self._field(str(path[-1]), schemas, required=required, alternative=alternative)

    def _at(self, path: Path) -> list[dict[str, Any]]:
        here = [self._schema]
        for step in path:
            here = [inner for part in self._parts(here) for inner in _inner(part, step)]
        return here

    def _parts(self, schemas: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Iterate over schemas and all that they refer to and choose from."""
        todo, seen = list(schemas), set()
        while todo:
            part = todo.pop(0)
            if id(part) in seen or part.get("$ref") == _PARAMETER:
                continue
            seen.add(id(part))
            if not _is_choice(part):
                yield part
            if reference := part.get("$ref"):
                todo.append(self._referred(reference))
            for keyword in ("allOf", "anyOf", "oneOf"):
                todo += part.get(keyword, ())
            if condition := part.get("if"):
                todo.append(part["then" if self._holds(condition) else "else"])

    def _holds(self, condition: dict[str, Any]) -> bool:
        wanted = condition["properties"].items()
        return all(self._given.get(key) == value["const"] for key, value in wanted)

    def _referred(self, reference: str) -> dict[str, Any]:
        found = self._schema
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]
        return found

    def _field(
        self, name: str, schemas: list[dict[str, Any]], *, required: bool, alternative: bool
    ) -> Field:
        parts = list(self._parts(schemas))
        texts = [part["description"] for part in parts if part.get("description")]
        if "$ref" not in schemas[0]:
            texts = texts[:1]
        elif len(texts) > 1 and texts[1].startswith(texts[0]):
            texts = texts[1:]
        types = {each for part in parts for each in _types(part)}
        return Field(
            name,
            " | ".join(dict.fromkeys(word for part in parts for word in _words(part))) or "any",
            " ".join(texts[:2]),
            required,
            alternative,
            tuple(dict.fromkeys(value for part in parts for value in _values(part))),
            "string" in types,
            bool(types) and types <= {"object", "array"},
        )


def _groups(part: dict[str, Any]) -> list[list[str]]:
    """Return the groups of keys of which a mapping must have exactly one."""
    return [each["required"] for each in part.get("oneOf", ()) if "required" in each]


def _inner(part: dict[str, Any], step: str | int) -> Iterator[dict[str, Any]]:
    if isinstance(step, int):
        if isinstance(items := part.get("items"), dict):
            yield items
        return
    if step in part.get("properties", {}):
        yield _without_null(part["properties"][step])
        return
    for pattern, inner in part.get("patternProperties", {}).items():
        # Names that the only pattern of a mapping does not allow have the same schema.
        if "properties" not in part or re.search(pattern, step):
            yield inner
    if isinstance(more := part.get("additionalProperties"), dict):
        yield more


def _is_choice(part: dict[str, Any]) -> bool:
    """Return whether a branch of a `oneOf` only says which keys must have a value."""
    return part.keys() == {"required", "properties"}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without null, which means no value."""
    options = schema.get("anyOf", ())
    kept = [option for option in options if option != {"type": "null"}]
    if len(kept) == len(options):
        return schema
    rest = {key: item for key, item in schema.items() if key != "anyOf"}
    return kept[0] | rest if len(kept) == 1 else {**rest, "anyOf": kept}


def _types(part: dict[str, Any]) -> list[str]:
    types = part.get("type", [])
    return [each for each in (types if isinstance(types, list) else [types]) if each != "null"]


def _values(part: dict[str, Any]) -> Iterator[str]:
    if "const" in part:
        yield part["const"]
    yield from (str(value) for value in part.get("enum", ()) if value is not None)
    if part.get("type") == "boolean":
        yield from ("true", "false")


def _words(part: dict[str, Any]) -> Iterator[str]:
    if "enum" in part or "const" in part:
        yield from _values(part)
        return
    types = _types(part)
    # A string that may be written without quotes in YAML has the types of all scalars.
    for word in types[:1] if "string" in types else types:
        if word == "integer" and "minimum" in part:
            yield f"integer from {part['minimum']}"
        else:
            yield {"object": "mapping", "array": "list"}.get(word, word)


def spec_grammar(kind: str | None = None) -> Grammar:
    """Return the grammar of specs of a kind; without one, that of experiments."""
    return Grammar(_spec_schema(), {"kind": kind})


@cache
def _spec_schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SPEC.read_text("utf-8"))
    return found


@cache
def batchai_grammar(kind: SchemaKind) -> Grammar:
    """Return the grammar of one of Batch AI's files."""
    return Grammar(schema(kind, "source"))
