"""Jobs to their wire form."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.draft import Draft
from bai.compiler.passes.cluster_of import Target, cluster_of
from bai.compiler.passes.mounts import lower_mounts
from bai.compiler.passes.names import Names
from bai.compiler.passes.references import References
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.secrets import put_secret
from bai.compiler.passes.toolkits import lower_toolkit
from bai.compiler.passes.variables import lower_variables
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.specs.durations import iso_duration
from bai.specs.findings import Path
from bai.specs.models.job import Container, Job


def lower_jobs(scope: Scope, names: Names) -> Iterator[Resource]:
    """Iterate over the jobs of the spec."""
    for name, job in scope.spec.jobs.items():
        yield _job(scope, names, name, job)


def _job(scope: Scope, names: Names, name: str, job: Job) -> Resource:
    at: Path = ("spec", "jobs", name)
    draft = Draft(scope.document, at)
    target = cluster_of(scope, names, job, at)
    references = _references(scope, job, target)
    if target.id:
        draft.put(("properties", "cluster"), {"id": str(target.id)}, target.source)
    draft.put(("properties", "nodeCount"), job.node_count, (*at, "nodeCount"))
    draft.put(("properties", "schedulingPriority"), job.priority, (*at, "priority"))
    if job.time_limit is not None:
        limit: Path = ("properties", "constraints", "maxWallClockTime")
        draft.put(limit, iso_duration(job.time_limit), (*at, "timeLimit"))
    if job.container:
        _container(scope, draft, job.container, (*at, "container"))
    if job.preparation is not None:
        source = (*at, "preparation")
        command = references.expand(job.preparation, source)
        draft.put(("properties", "jobPreparation", "commandLine"), command, source)
    logs = (*at, "logs")
    draft.put(("properties", "stdOutErrPathPrefix"), references.expand(job.logs, logs), logs)
    lower_toolkit(draft, job, references, at)
    lower_mounts(scope, names, draft, ("properties", "mountVolumes"), job.mounts, (*at, "mounts"))
    _directories(draft, job, references, at)
    lower_variables(scope, draft, ("properties",), job.environment, job.secrets, references, at)
    return draft.finish(names.id(Kind.JOB, name))


def _references(scope: Scope, job: Job, target: Target) -> References:
    return References(
        scope,
        job_mounts=job.mounts,
        cluster_mounts=target.cluster.mounts if target.cluster else (),
        inputs=job.inputs,
        outputs=job.outputs,
        complete=target.cluster is not None,
    )


def _container(scope: Scope, draft: Draft, container: Container, at: Path) -> None:
    settings: Path = ("properties", "containerSettings")
    registry = (*settings, "imageSourceRegistry")
    draft.put((*registry, "image"), container.image, (*at, "image"))
    draft.put((*registry, "serverUrl"), container.server, (*at, "server"))
    if account := container.credentials:
        credentials, source = (*registry, "credentials"), (*at, "credentials")
        draft.put((*credentials, "username"), account.username, (*source, "username"))
        password = (*credentials, "password")
        put_secret(scope, draft, password, account.password, (*source, "password"))
    draft.put((*settings, "shmSize"), container.shm_size, (*at, "shmSize"))


def _directories(draft: Draft, job: Job, references: References, at: Path) -> None:
    for name, text in job.inputs.items():
        source = (*at, "inputs", name)
        place = draft.item(("properties", "inputDirectories"), source)
        draft.put_key((*place, "id"), source)
        draft.put((*place, "path"), references.expand(text, source), source)
    for name, output in job.outputs.items():
        source = (*at, "outputs", name)
        place = draft.item(("properties", "outputDirectories"), source)
        draft.put_key((*place, "id"), source)
        path = (*source, "path")
        draft.put((*place, "pathPrefix"), references.expand(output.path, path), path)
        draft.put((*place, "pathSuffix"), output.suffix, (*source, "suffix"))
