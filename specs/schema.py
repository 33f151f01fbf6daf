"""The JSON Schema of specs, for editors; `python -m bai.specs.schema` prints it."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from bai.specs.models.kinds import EXPERIMENT, KINDS

_NULL: Final = {"type": "null"}
_REFERENCE: Final = "ParameterReference"
_PARAMETER: Final = {
    "type": "string",
    "pattern": r"\$\{parameters\.[^{}]*\}",
    "description": "Text with the values of parameters: `${parameters.NAME}`.",
}
_AS_WRITTEN: Final = frozenset((*(model.__name__ for model in KINDS.values()), "Parameter"))
"""Models in which no reference to a parameter can stand."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def spec_schema() -> dict[str, Any]:
    """Return the schema as data: every key with its description, short forms included.

    One schema is for all kinds: `kind` decides which keys a document has. Without one it is an
    experiment.
    """
    pairs: list[tuple[type[BaseModel], JsonSchemaMode]]
    pairs = [(model, "validation") for model in KINDS.values()]
    references, found = models_json_schema(pairs, by_alias=True)
    schemas = {kind: references[model, "validation"] for kind, model in KINDS.items()}
    schema: dict[str, Any] = schemas.pop(EXPERIMENT)
    for kind, other in reversed(schemas.items()):
        is_kind = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
        schema = {"if": is_kind, "then": other, "else": schema}
    definitions = _trimmed(found)["$defs"]
    keys = definitions[EXPERIMENT]["properties"]
    kinds = {"enum": list(KINDS), "description": keys["kind"]["description"]}
    models = {
        name: each if name in _AS_WRITTEN else _with_references(each)
        for name, each in definitions.items()
    }
    return {
        "$schema": DIALECT,
        "title": "Spec of bai",
        "type": "object",
        "properties": {"apiVersion": keys["apiVersion"], "kind": kinds},
        "required": ["apiVersion", "kind", "metadata"],
        **schema,
        "$defs": models | {_REFERENCE: _PARAMETER},
    }


def schema_text() -> str:
    """Return the schema as it is kept in `schemas/experiment.schema.json`."""
    return json.dumps(spec_schema(), indent=2) + "\n"


def _trimmed(value: Any) -> Any:
    """Drop titles, close mappings whose keys have a pattern, and treat a null as a missing key."""
    if isinstance(value, list):
        return [_trimmed(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"required"}:
        # One of the choices of which keys a mapping has.
        return value | {"properties": {key: {"not": _NULL} for key in value["required"]}}
    kept: dict[str, Any] = {}
    for key, item in value.items():
        if key in ("properties", "$defs"):
            kept[key] = {name: _trimmed(inner) for name, inner in item.items()}
        elif key != "title" and (key, item) != ("default", None):
            kept[key] = _trimmed(item)
    if "patternProperties" in kept:
        kept["additionalProperties"] = False
    return _with_null(kept)


def _with_references(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a mapping with references to parameters wherever a scalar can stand."""
    properties = {key: _or_reference(value) for key, value in schema.get("properties", {}).items()}
    return schema | {"properties": properties}


def _or_reference(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a value that can also be a text with references to parameters."""
    inner = {
        key: _or_reference(schema[key])
        for key in ("additionalProperties", "items")
        if isinstance(schema.get(key), dict)
    }
    if isinstance(patterns := schema.get("patternProperties"), dict):
        inner["patternProperties"] = {name: _or_reference(each) for name, each in patterns.items()}
    schema = schema | inner
    options = schema.get("anyOf", [schema])
    scalars = [option for option in options if not _SCALARS.isdisjoint(_types(option))]
    if not scalars or any(_takes_any_text(option) for option in scalars):
        return schema
    reference = {"$ref": f"#/$defs/{_REFERENCE}"}
    if "anyOf" in schema:
        return schema | {"anyOf": [*options, reference]}
    outside: dict[str, Any] = {
        key: schema[key] for key in ("description", "default") if key in schema
    }
    own = {key: value for key, value in schema.items() if key not in outside}
    return {"anyOf": [own, reference], **outside}


_OF_FIELD: Final = frozenset(("description", "default"))
_SCALARS: Final = frozenset(("integer", "number", "string", "boolean"))


def _types(schema: dict[str, Any]) -> list[str]:
    types = schema.get("type", [])
    return [types] if isinstance(types, str) else types


def _takes_any_text(schema: dict[str, Any]) -> bool:
    return "string" in _types(schema) and not {"enum", "const", "pattern"} & schema.keys()


def _with_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a value in a shorter form if it is one of `anyOf [schema, null]`."""
    options = [option for option in schema.get("anyOf", ()) if option != _NULL]
    if len(options) != 1 or "type" not in options[0]:
        return schema
    types = options[0]["type"]
    short: dict[str, Any] = options[0] | {
        "type": [*([types] if isinstance(types, str) else types), "null"]
    }
    if "enum" in short:
        short["enum"] = [*short["enum"], None]
    return short | {key: item for key, item in schema.items() if key != "anyOf"}


if __name__ == "__main__":
    sys.stdout.write(schema_text())
