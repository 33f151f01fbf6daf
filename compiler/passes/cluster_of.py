"""The cluster that a job runs on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bai.compiler.passes.scope import Scope
from bai.compiler.passes.siblings import resolve_sibling
from bai.compiler.resources.ids import Kind, ResourceId
from bai.specs.findings import Path
from bai.specs.models.job import Job
from bai.specs.models.machines import Cluster


@dataclass(frozen=True, slots=True)
class Target:
    """A job's cluster."""

    id: ResourceId | None = None
    """None after a finding."""
    cluster: Cluster | None = None
    """The cluster, if this spec declares it or one that is compiled with it."""
    source: Path | None = None
    """Where the spec says so; None where it has only one cluster to choose from."""


UNKNOWN: Final = Target()


def cluster_of(scope: Scope, job: Job, at: Path) -> Target:
    """Return the cluster that a job names, else the only one of the spec.

    `at` is the job's place in the document.
    """
    own = scope.spec.clusters
    known = scope.declared.names(scope.names, Kind.CLUSTER)
    if job.cluster is not None:
        source = (*at, "cluster")
        id = resolve_sibling(scope, Kind.CLUSTER, job.cluster, known, source)
        is_own = id is not None and id == scope.names.id(Kind.CLUSTER, id.name)
        cluster = own.get(id.name) if id and is_own else None
        return Target(id, cluster or (scope.declared.clusters.get(id) if id else None), source)
    if len(own) == 1:
        [(name, cluster)] = own.items()
        return Target(scope.names.id(Kind.CLUSTER, name), cluster)
    message, hint = "the job has no cluster", "declare one under clusters"
    if own:
        message = "the job names no cluster"
    if known:
        hint = f"write cluster: {'one of ' if len(known) > 1 else ''}{', '.join(known)}"
    scope.report("BAI402", message, scope.document.key_span(at), hint)
    return UNKNOWN
