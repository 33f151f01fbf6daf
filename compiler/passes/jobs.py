"""Jobs to their wire form."""

from __future__ import annotations

from bai.compiler.passes.code import code_of, lower_code
from bai.compiler.passes.command_lines import set_line
from bai.compiler.passes.mounts import lower_mounts
from bai.compiler.passes.own_shares import default_logs
from bai.compiler.passes.references import References
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.siblings import Target, cluster_of
from bai.compiler.passes.sweeps import set_member
from bai.compiler.passes.timelines import lower_timeline
from bai.compiler.passes.toolkits import lower_toolkit
from bai.compiler.passes.variables import lower_variables
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.specs.durations import iso_duration
from bai.specs.findings import Path
from bai.specs.models.job import Container, Job


def lower_job(scope: Scope, name: str, job: Job) -> Resource:
    """Return the job of a name."""
    at: Path = ("spec", "jobs", name)
    builder = WireBuilder(scope, at)
    target = cluster_of(scope, job, at)
    references = References(
        scope,
        job_mounts=job.mounts,
        cluster_mounts=target.cluster.mounts if target.cluster else (),
        inputs=job.inputs,
        outputs=job.outputs,
        complete=target.cluster is not None,
    )
    if target.id:
        builder.set(("properties", "cluster"), {"id": str(target.id)}, target.source)
    nodes = (*at, "nodeCount")
    is_written = nodes in scope.document.values
    builder.set(("properties", "nodeCount"), job.node_count, nodes if is_written else None)
    builder.set(("properties", "schedulingPriority"), job.priority, (*at, "priority"))
    if job.time_limit is not None:
        limit: Path = ("properties", "constraints", "maxWallClockTime")
        builder.set(limit, iso_duration(job.time_limit), (*at, "timeLimit"))
    if job.container:
        _container(builder, job.container, (*at, "container"))
    if job.preparation is not None:
        source = (*at, "preparation")
        line: Path = ("properties", "jobPreparation", "commandLine")
        set_line(builder, line, job.preparation, references, source, owner=job, is_command=True)
    code = code_of(scope, job, at)
    size = (target.cluster.vm_size or scope.defaults.vm_size) if target.cluster else None
    lower_toolkit(builder, job, references, code, at, size)
    lower_mounts(builder, ("properties", "mountVolumes"), job.mounts, (*at, "mounts"))
    if code:
        lower_code(builder, code, job, at)
    if job.logs is not None:
        source = (*at, "logs")
        path = references.expand(job.logs, source)
        builder.set(("properties", "stdOutErrPathPrefix"), path, source)
    else:
        default_logs(builder, references, at)
    _directories(builder, job, references, at)
    lower_variables(builder, ("properties",), job, references, at)
    lower_timeline(builder, job, at)
    set_member(builder, name, job)
    _report_hidden(scope, references, target, (*at, "mounts"))
    remark = f"code: {code.words}" if code and code.words else None
    return builder.finish(scope.names.id(Kind.JOB, name), remark, code)


def _report_hidden(scope: Scope, references: References, target: Target, at: Path) -> None:
    """Report mounts of the job, at a path, for which `${mounts.NAME}` hides one of its cluster."""
    for name in sorted(references.hiding):
        other = target.id and scope.declared.mount_span(target.id, name)
        where = f" at {other}" if other else ""
        message = f"${{mounts.{name}}} is this mount of the job, and hides the cluster's{where}"
        hint = f"write ${{job.mounts.{name}}} or ${{cluster.mounts.{name}}}, or rename one of them"
        scope.report("BAI517", message, scope.document.key_span((*at, name)), hint)


def _container(builder: WireBuilder, container: Container, at: Path) -> None:
    settings: Path = ("properties", "containerSettings")
    registry = (*settings, "imageSourceRegistry")
    builder.set((*registry, "image"), container.image, (*at, "image"))
    builder.set((*registry, "serverUrl"), container.server, (*at, "server"))
    if account := container.credentials:
        credentials, source = (*registry, "credentials"), (*at, "credentials")
        builder.set((*credentials, "username"), account.username, (*source, "username"))
        password = (*credentials, "password")
        builder.set_secret(password, account.password, (*source, "password"))
    builder.set((*settings, "shmSize"), container.shm_size, (*at, "shmSize"))


def _directories(builder: WireBuilder, job: Job, references: References, at: Path) -> None:
    for name, read in job.inputs.items():
        source = (*at, "inputs", name)
        place = builder.item(("properties", "inputDirectories"), source)
        builder.set_key((*place, "id"), source)
        path = (*source, "path")
        builder.set((*place, "path"), references.expand(read.path, path), path)
    for name, output in job.outputs.items():
        source = (*at, "outputs", name)
        place = builder.item(("properties", "outputDirectories"), source)
        builder.set_key((*place, "id"), source)
        path = (*source, "path")
        builder.set((*place, "pathPrefix"), references.expand(output.path, path), path)
        builder.set((*place, "pathSuffix"), output.suffix, (*source, "suffix"))
