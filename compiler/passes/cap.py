"""A compilation cut to the size of a smaller machine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from bai.compiler.compilation import Compilation
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.specs.toolkits import TOOLKITS

_Lower = Callable[[dict[str, Any], str, int | None, int | None], None]
"""Lowers a count in a mapping: (mapping, key, bound, count as it is)."""


def cap(
    compilation: Compilation, max_nodes: int | None = None, max_processes: int | None = None
) -> Compilation:
    """Return the compilation with fewer nodes and processes, and a note for every change.

    Args:
        compilation: what to cut; spans stay as they are.
        max_nodes: most nodes of a cluster and of a job; None for no bound.
        max_processes: most processes of a job, a TensorFlow job's workers and parameter servers
            each for themselves; None for no bound.

    Raises:
        ValueError: a bound is below 1.
    """
    if any(bound is not None and bound < 1 for bound in (max_nodes, max_processes)):
        raise ValueError("nothing can run on less than one node and one process")
    if max_nodes is None and max_processes is None:
        return compilation
    notes: list[str] = []
    resources = tuple(_cap(r, max_nodes, max_processes, notes) for r in compilation.resources)
    return replace(compilation, resources=resources, notes=(*compilation.notes, *notes))


def without_containers(compilation: Compilation, *, with_preparation: bool) -> Compilation:
    """Return the compilation with jobs that run outside their images, and a note for each.

    Args:
        compilation: what to change.
        with_preparation: whether such a job keeps its preparation, which was written for its image:
            here it would install packages on the machine itself.
    """
    notes: list[str] = []

    def strip(resource: Resource) -> Resource:
        wire = resource.to_wire()
        if "containerSettings" not in wire.get("properties", {}):
            return resource
        container = wire["properties"].pop("containerSettings")
        image = container["imageSourceRegistry"]["image"]
        note = f"job {resource.id.name}: runs outside its image {image}"
        if not with_preparation and wire["properties"].pop("jobPreparation", None):
            note += (
                ", without its preparation (--with-preparation runs it on this machine; in Python: "
                "bai.Limits(..., with_preparation=True))"
            )
        notes.append(note)
        return replace(resource, wire=wire, left_out={"containerSettings": container})

    resources = tuple(map(strip, compilation.resources))
    return replace(compilation, resources=resources, notes=(*compilation.notes, *notes))


def _cap(
    resource: Resource, max_nodes: int | None, max_processes: int | None, notes: list[str]
) -> Resource:
    wire = resource.to_wire()
    owner = f"{resource.id.kind.singular} {resource.id.name}"

    def lower(holder: dict[str, Any], key: str, most: int | None, current: int | None) -> None:
        if most is not None and current is not None and current > most:
            holder[key] = most
            notes.append(f"{owner}: {key} {current} -> {most}")

    if resource.id.kind is Kind.CLUSTER:
        for settings in wire["properties"]["scaleSettings"].values():
            for key in [key for key in settings if key.endswith("NodeCount")]:
                lower(settings, key, max_nodes, settings[key])
    elif resource.id.kind is Kind.JOB:
        properties = wire["properties"]
        before = properties["nodeCount"]
        lower(properties, "nodeCount", max_nodes, before)
        _cap_processes(properties, before, max_processes, lower)
    else:
        return resource
    return replace(resource, wire=wire)


def _cap_processes(
    properties: dict[str, Any], before: int, most: int | None, lower: _Lower
) -> None:
    """Lower the processes of a job that had `before` nodes; no node gets more than it had."""
    if most is not None and "caffe2Settings" in properties:
        # One process on each node, and no key that says otherwise.
        lower(properties, "nodeCount", most, properties["nodeCount"])
    nodes: int = properties["nodeCount"]

    def fitting(count: int) -> int:
        on_nodes = nodes * math.ceil(count / before)
        return on_nodes if most is None else min(on_nodes, most)

    for name in _COUNTED & properties.keys():
        settings = properties[name]
        # The default is one process on each node.
        count = settings.get("processCount", nodes)
        lower(settings, "processCount", fitting(count), count)
    if settings := properties.get("tensorFlowSettings"):
        workers, servers = settings.get("workerCount"), settings.get("parameterServerCount")
        if nodes > 1 or workers or servers:
            lower(settings, "workerCount", fitting(workers or nodes), workers or nodes)
            lower(settings, "parameterServerCount", fitting(nodes), servers)


_COUNTED: Final = frozenset(TOOLKITS.values()) - {
    "caffe2Settings",
    "customToolkitSettings",
    "tensorFlowSettings",
}
"""Toolkits with a processCount."""
