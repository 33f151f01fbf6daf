"""All resources of a compilation, as one JSON or YAML document."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from bai.compiler.compilation import Compilation, merged
from bai.compiler.emit.yaml_form import yaml_text


def to_json(compilations: Iterable[Compilation]) -> str:
    """Return the resources as a JSON array, in the order in which they must exist."""
    return json.dumps(_all(compilations), indent=2, ensure_ascii=False) + "\n"


def to_yaml(compilations: Iterable[Compilation]) -> str:
    """Return the resources as a YAML sequence, in the order in which they must exist."""
    return yaml_text(_all(compilations))


def _all(compilations: Iterable[Compilation]) -> list[dict[str, Any]]:
    """Return the resources as data: id, name and type first, then their wire form."""
    return [
        {"id": str(one.id), "name": one.id.name, "type": one.id.type} | one.to_wire()
        for one in merged(compilations)
    ]
