"""The JSON Schema of specs, for editors; `python -m bai.specs.schema` prints it."""

from __future__ import annotations

import json
import sys
from typing import Any

from bai.specs.models.experiment import Experiment

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def experiment_schema() -> dict[str, Any]:
    """Return the schema as data: every key with its description, short forms included."""
    schema = _trimmed(Experiment.model_json_schema(by_alias=True, mode="validation"))
    return {"$schema": DIALECT, "title": "Experiment spec of bai", **schema}


def schema_text() -> str:
    """Return the schema as it is kept in `schemas/experiment.schema.json`."""
    return json.dumps(experiment_schema(), indent=2) + "\n"


def _trimmed(value: Any) -> Any:
    """Drop titles, and `null` beside optional types; close mappings whose keys have a pattern."""
    if isinstance(value, list):
        return [_trimmed(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept: dict[str, Any] = {}
    for key, item in value.items():
        if key in ("properties", "$defs"):
            kept[key] = {name: _trimmed(inner) for name, inner in item.items()}
        elif key != "title" and (key, item) != ("default", None):
            kept[key] = _trimmed(item)
    if "patternProperties" in kept:
        kept["additionalProperties"] = False
    options = [option for option in kept.get("anyOf", ()) if option != {"type": "null"}]
    if len(options) == 1:
        del kept["anyOf"]
        kept = options[0] | kept
    elif options:
        kept["anyOf"] = options
    return kept


if __name__ == "__main__":
    sys.stdout.write(schema_text())
