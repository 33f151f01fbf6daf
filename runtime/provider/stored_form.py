"""Checks what the database holds of resources, as something else may have written there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bai.compiler.resources.ids import Kind
from bai.runtime.toolkits.registry import toolkit_keys

_LISTED: Final[Mapping[Kind, Mapping[str, type]]] = {
    Kind.CLUSTER: {"vmSize": str, "scaleSettings": dict},
    Kind.FILE_SERVER: {"vmSize": str, "dataDisks": dict},
    Kind.JOB: {"nodeCount": int, "cluster": dict},
}
"""Kind -> the properties that lists show, and their types."""


def has_listed_values(kind: Kind, wire: Any) -> bool:
    """Return whether a wire form has the values that lists show; a look at few of all.

    A list of thousands can't afford to build each body.
    """
    if not isinstance(wire, dict):
        return False
    if kind is Kind.WORKSPACE:
        return isinstance(wire.get("location"), str)
    if kind is Kind.EXPERIMENT:
        return True
    properties = wire.get("properties")
    if not isinstance(properties, dict):
        return False
    if kind is Kind.JOB and len(toolkit_keys(properties)) != 1:
        return False
    return all(isinstance(properties.get(key), type_) for key, type_ in _LISTED[kind].items())
