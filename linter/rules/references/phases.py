"""BAI413: a variable is used where it is set already.

A node's setup task runs before there is any job: of all variables it has
`AZ_BATCHAI_MOUNT_ROOT` alone. A job's preparation runs before its processes, so it has nothing
that differs between them. And the paths of logs, outputs and inputs are made first of all, from
the mount roots and the job's own directories: `AZ_BATCHAI_OUTPUT_X` and
`AZ_BATCHAI_STDOUTERR_DIR` come out of them and can't be a part of them.

Wrong (job):

    outputs: {MODEL: "${mounts.data}"}
    logs: $AZ_BATCHAI_OUTPUT_MODEL/logs

Right (job):

    outputs: {MODEL: "${mounts.data}"}
    logs: ${mounts.data}/logs
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai.variables import (
    BASES,
    CLUSTER_ROOT,
    JOB_ROOT,
    NAMES,
    TOOLKITS,
    directory,
)
from bai.compiler.resources.ids import Kind
from bai.linter.facts.assignments import is_assigned
from bai.linter.facts.variable_uses import Use, variable_uses
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation


@rule("BAI413", Kind.JOB, Kind.CLUSTER)
def phases(resource: ResourceView) -> Iterator[Violation]:
    for use in variable_uses(resource):
        found = (_too_early if resource.kind is Kind.JOB else _in_setup_task)(resource, use)
        if found:
            yield Violation(Part(use.path, use.written), *found)


def _in_setup_task(cluster: ResourceView, use: Use) -> tuple[str, str] | None:
    """Return (message, hint) about a variable that no setup task has."""
    if use.name == CLUSTER_ROOT or not _is_known(cluster, use):
        return None
    message = f"a setup task runs before any job: {_shown(use)} is not set"
    return message, f"use ${CLUSTER_ROOT}" if use.name == JOB_ROOT else "only jobs have it"


def _too_early(job: ResourceView, use: Use) -> tuple[str, str] | None:
    """Return (message, hint) about a variable of a job that is not set yet at its place."""
    if use.name in BASES:
        return None
    match use.path[1:2]:
        case ("jobPreparation",) if use.name in TOOLKITS and _is_known(job, use):
            message = f"the preparation runs before the processes: {use.name} is not set"
            return message, "move what needs it to the job's command or script"
        case ("stdOutErrPathPrefix",):
            what = "the logs' path"
        case ("outputDirectories",):
            what = "an output's path"
        case ("inputDirectories",) if not _is_other_input(job, use):
            what = "an input's path"
        case _:
            return None
    if not _is_known(job, use):
        return None
    form = "${mounts.NAME}" if job.is_compiled else f"${JOB_ROOT}/NAME"
    return f"{_shown(use)} is not set yet where {what} is made", f"begin the path with {form}"


def _is_known(resource: ResourceView, use: Use) -> bool:
    """Return whether a variable exists, and is the service's to set."""
    known = use.name in NAMES or directory(use.name) is not None
    return known and not use.has_fallback and not is_assigned(resource, use)


def _is_other_input(job: ResourceView, use: Use) -> bool:
    """Return whether an input's path uses that of another input."""
    found = directory(use.name)
    return found is not None and found[0] == "INPUT" and found[1] != job.get(*use.path[:3], "id")


def _shown(use: Use) -> str:
    """Return what one calls a variable that may have been written as `${outputs.MODEL}`."""
    found = directory(use.name)
    return f"{found[0].lower()} {found[1]}" if found else use.name
