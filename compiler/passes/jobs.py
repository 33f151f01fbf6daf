"""Jobs to their wire form."""

from __future__ import annotations

from typing import Any

from bai.compiler.draft import Draft
from bai.compiler.passes.accounts import secret
from bai.compiler.passes.mounts import lower_mounts
from bai.compiler.passes.references import References
from bai.compiler.passes.scope import Names, Scope
from bai.compiler.passes.toolkits import lower_toolkit
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource, body_from_wire
from bai.specs.durations import iso_duration
from bai.specs.findings import Path
from bai.specs.models.job import Container, Job
from bai.specs.names import nearest


def lower_job(scope: Scope, names: Names, name: str, job: Job) -> Resource:
    """Return the wire form of one job."""
    at: Path = ("spec", "jobs", name)
    draft = Draft(scope.document, at)
    cluster = resolve_cluster(scope, names, name, job)
    own = scope.spec.clusters.get(cluster.name) if cluster else None
    same_workspace = cluster == (cluster and names.id(Kind.CLUSTER, cluster.name))
    references = References(
        scope,
        job_mounts=job.mounts,
        cluster_mounts=own.mounts if own and same_workspace else (),
        inputs=job.inputs,
        outputs=job.outputs,
        complete=bool(own and same_workspace),
    )

    def put(wire_key: str, value: Any, *key: str) -> None:
        if isinstance(value, str):
            value = references.expand(value, (*at, *key))
        draft.put(("properties", *wire_key.split(".")), value, (*at, *key))

    put("schedulingPriority", job.priority, "priority")
    if cluster:
        put("cluster", {"id": str(cluster)}, "cluster")
    put("nodeCount", job.node_count, "nodeCount")
    if job.container:
        put("containerSettings", _container(job.container), "container")
    put("jobPreparation.commandLine", job.preparation, "preparation")
    put("stdOutErrPathPrefix", job.logs, "logs")
    if job.time_limit is not None:
        put("constraints.maxWallClockTime", iso_duration(job.time_limit), "timeLimit")
    lower_toolkit(draft, job, references, at)
    lower_mounts(scope, names, draft, ("properties", "mountVolumes"), job.mounts, (*at, "mounts"))
    _lists(draft, job, references, at)
    body = body_from_wire(Kind.JOB, draft.wire)
    return Resource(names.id(Kind.JOB, name), body, draft.spans)


def resolve_cluster(scope: Scope, names: Names, name: str, job: Job) -> ResourceId | None:
    """Return the id of a job's cluster, by ARM id, by name, or the only one of the spec."""
    at: Path = ("spec", "jobs", name)
    known = list(scope.spec.clusters)
    if job.cluster is None:
        if len(known) == 1:
            return names.id(Kind.CLUSTER, known[0])
        hint = (
            f"write cluster: one of {', '.join(known)}" if known else "declare one under clusters"
        )
        scope.error("BAI402", "the job has no cluster", scope.document.key_span(at), hint)
        return None
    path = (*at, "cluster")
    if job.cluster.startswith("/"):
        try:
            found = ResourceId.parse(job.cluster)
        except ValueError:
            found = None
        if found is None or found.kind is not Kind.CLUSTER:
            message = "this is not the ARM id of a cluster"
            hint = "/subscriptions/.../workspaces/WORKSPACE/clusters/NAME"
            scope.error("BAI402", message, scope.document.span(path), hint)
            return None
        return found
    if job.cluster not in known and (near := nearest(job.cluster, known)):
        message = f"the spec has no cluster {job.cluster!r}"
        hint = f"did you mean {near}? Otherwise it must live in the workspace already"
        scope.warn("BAI403", message, scope.document.span(path), hint)
    return names.id(Kind.CLUSTER, job.cluster)


def _container(container: Container) -> dict[str, Any]:
    registry: dict[str, Any] = {"image": container.image}
    if container.server is not None:
        registry["serverUrl"] = container.server
    if account := container.credentials:
        registry["credentials"] = {
            "username": account.username,
            **secret(account.password, "password"),
        }
    shm = {} if container.shm_size is None else {"shmSize": container.shm_size}
    return {"imageSourceRegistry": registry, **shm}


def _lists(draft: Draft, job: Job, references: References, at: Path) -> None:
    for name, text in job.inputs.items():
        source = (*at, "inputs", name)
        value = {"id": name, "path": references.expand(text, source)}
        draft.append(("properties", "inputDirectories"), value, source, id=source)
    for name, output in job.outputs.items():
        source = (*at, "outputs", name)
        value = {"id": name, "pathPrefix": references.expand(output.path, (*source, "path"))}
        if output.suffix is not None:
            value["pathSuffix"] = output.suffix
        target: Path = ("properties", "outputDirectories")
        draft.append(target, value, source, id=source, pathPrefix=(*source, "path"))
    for name, text in job.environment.items():
        source = (*at, "environment", name)
        value = {"name": name, "value": references.expand(text, source)}
        draft.append(("properties", "environmentVariables"), value, source, name=source)
    for name, ref in job.secrets.items():
        source = (*at, "secrets", name)
        wire = {"name": name, **secret(ref, "value")}
        draft.append(("properties", "secrets"), wire, source, name=source)
