"""The JSON Schema of specs, for editors; `python -m bai.specs.schema` prints it."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from bai.specs.models.kinds import EXPERIMENT, KINDS

_NULL: Final = {"type": "null"}
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
    definitions = _trimmed(found)
    keys = definitions["$defs"][EXPERIMENT]["properties"]
    kinds = {"enum": list(KINDS), "description": keys["kind"]["description"]}
    return {
        "$schema": DIALECT,
        "title": "Spec of bai",
        "type": "object",
        "properties": {"apiVersion": keys["apiVersion"], "kind": kinds},
        "required": ["apiVersion", "kind", "metadata"],
        **schema,
        **definitions,
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
