"""All resources of a compilation, as one JSON or YAML document."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from bai.compiler.compilation import Compilation
from bai.compiler.emit.yaml_form import yaml_text
from bai.compiler.resources.resource import Resource


def as_data(resource: Resource) -> dict[str, Any]:
    """Return a resource as data: id, name and type first, then its wire form."""
    heading = {"id": str(resource.id), "name": resource.id.name, "type": resource.id.type}
    return heading | resource.to_wire()


def to_json(compilations: Iterable[Compilation]) -> str:
    """Return the resources as a JSON array, in the order in which they must exist."""
    return json.dumps(_all(compilations), indent=2, ensure_ascii=False) + "\n"


def to_yaml(compilations: Iterable[Compilation]) -> str:
    """Return the resources as a YAML sequence, in the order in which they must exist."""
    return yaml_text(_all(compilations))


def _all(compilations: Iterable[Compilation]) -> list[dict[str, Any]]:
    return [as_data(resource) for each in compilations for resource in each.resources]
