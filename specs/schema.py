"""The JSON Schema of specs, for editors; `python -m bai.specs.schema` prints it."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from bai.specs.models.experiment import Experiment

_NULL: Final = {"type": "null"}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def experiment_schema() -> dict[str, Any]:
    """Return the schema as data: every key with its description, short forms included."""
    schema = _trimmed(Experiment.model_json_schema(by_alias=True, mode="validation"))
    return {"$schema": DIALECT, "title": "Experiment spec of bai", **schema}


def schema_text() -> str:
    """Return the schema as it is kept in `schemas/experiment.schema.json`."""
    return json.dumps(experiment_schema(), indent=2) + "\n"


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
