"""References by name to clusters and file servers, and the cluster that a job runs on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bai.compiler.batchai.recognition import FILES
from bai.compiler.passes.scope import Scope
from bai.compiler.resources.ids import NAME, Kind, ResourceId
from bai.specs.findings import Path
from bai.specs.models.job import Job
from bai.specs.models.machines import Cluster
from bai.specs.names import nearest


def resolve_sibling(
    scope: Scope, kind: Kind, written: str, known: Collection[str], path: Path
) -> ResourceId | None:
    """Return the id behind a name or an ARM id, written at `path`; None after a finding.

    A name that the spec does not declare may live in the workspace already, which only the plan
    knows. It is a warning if it is nearly the name of one that the spec does declare.
    """
    word, _ = FILES[kind]
    if written.startswith("/"):
        try:
            found = ResourceId.parse(written)
        except ValueError:
            found = None
        if found is None or found.kind is not kind:
            message = f"this is not the ARM id of a {word}"
            hint = str(ResourceId("ID", "GROUP", "WORKSPACE", kind, "NAME"))
            scope.report("BAI402", message, scope.span(path), hint)
            return None
        return found
    if not NAME.fullmatch(written):
        hint = "1 to 64 letters, digits, `-` and `_`, not `-` first, or an ARM id"
        scope.report("BAI302", f"{written!r} is no {word}'s name", scope.span(path), hint)
        return None
    if written not in known and (near := nearest(written, known)):
        hint = f"did you mean {near}? Otherwise it must live in the workspace already"
        message = f"the spec has no {word} {written!r}"
        scope.report("BAI403", message, scope.span(path), hint)
    return scope.names.id(kind, written)


@dataclass(frozen=True, slots=True)
class Target:
    """A job's cluster."""

    id: ResourceId | None = None
    """None after a finding."""
    cluster: Cluster | None = None
    """The cluster, if this spec declares it or one that is compiled with it."""
    source: Path | None = None
    """Where the spec says so; None where it has only one cluster to choose from."""


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
    return Target()
