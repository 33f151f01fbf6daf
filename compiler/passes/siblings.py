"""References by name to clusters and file servers, and the cluster that a job runs on."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
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
    """Where the spec says so; None where it does not: its only cluster, or a default."""


def cluster_of(scope: Scope, job: Job, at: Path) -> Target:
    """Return the cluster that a job names, else the only one of the spec.

    Where the spec has none, it is the context's, or else one that is made to measure.

    Args:
        scope: the job's.
        job: the job.
        at: its place in the document.
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
    if not own and scope.defaults.cluster:
        return _of_context(scope, scope.defaults.cluster, at)
    id = scope.names.id(Kind.CLUSTER, scope.names.experiment)
    if measured := scope.declared.measured.get(id):
        return Target(id, measured)
    message = "the job has no cluster"
    if own:
        message = "the job names no cluster"
    hint = f"write cluster: {'one of ' if len(known) > 1 else ''}{', '.join(known)}"
    scope.report("BAI402", message, scope.document.key_span(at), hint)
    return Target()


def _of_context(scope: Scope, written: str, at: Path) -> Target:
    """Return the cluster that the context names, for the job at a place in the document."""
    if NAME.fullmatch(written):
        id = scope.names.id(Kind.CLUSTER, written)
        return Target(id, scope.declared.clusters.get(id))
    with suppress(ValueError):
        id = ResourceId.parse(written)
        if id.kind is Kind.CLUSTER:
            return Target(id, scope.declared.clusters.get(id))
    message = f"{written!r}, which the context sets, is no name and no ARM id of a cluster"
    hint = 'write cluster = "NAME" into the context, 1 to 64 letters, digits, `-` and `_`'
    scope.report("BAI302", message, scope.document.key_span(at), hint)
    return Target()
