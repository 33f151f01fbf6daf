"""Clusters that are made to measure: of experiments that declare none, where the context has none.

Such a cluster is named after its experiment, and as large as the largest of its jobs needs, or as
the members of a sweep that run at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bai.compiler.passes.scope import Scope
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.specs.findings import Path
from bai.specs.models.machines import Cluster, Scale

_REMARK = "made to measure for its jobs"


def measured_clusters(scopes: Iterable[Scope]) -> dict[ResourceId, Cluster]:
    """Return the clusters that specs need and nothing declares, by their ids.

    Specs with one experiment share its cluster.
    """
    sizes: dict[ResourceId, int] = {}
    for scope in scopes:
        id = scope.names.id(Kind.CLUSTER, scope.names.experiment)
        for _, count in _jobs(scope):
            sizes[id] = max(count, sizes.get(id, 0))
    return {id: Cluster(scale=Scale(target=count)) for id, count in sizes.items()}


def _jobs(scope: Scope) -> Iterator[tuple[str, int]]:
    """Iterate over (name, number of nodes) of the jobs that need a cluster made to measure."""
    if scope.defaults.cluster or scope.declared.names(scope.names, Kind.CLUSTER):
        return
    at_once = {
        member: min(members.sweep.concurrency or 1, len(members.points))
        for members in scope.loaded.sweeps.values()
        for member in members.points
    }
    for name, job in scope.spec.jobs.items():
        if job.cluster is None:
            yield name, job.node_count * at_once.get(name, 1)


def lower_measured(scope: Scope) -> Iterator[Resource]:
    """Iterate over the cluster that is made for the jobs of a spec, if there is one."""
    sizes = dict(_jobs(scope))
    if not sizes:
        return
    id = scope.names.id(Kind.CLUSTER, scope.names.experiment)
    cluster = scope.declared.measured[id]
    largest: Path = ("spec", "jobs", max(sizes, key=lambda name: sizes[name]))
    builder = WireBuilder(scope, largest)
    builder.set(("properties", "vmSize"), scope.defaults.vm_size, None)
    target: Path = ("properties", "scaleSettings", "manual", "targetNodeCount")
    written = (*largest, "nodeCount")
    is_written = written in scope.document.values
    builder.set(target, cluster.scale.target, written if is_written else None)
    yield builder.finish(id, _REMARK)
