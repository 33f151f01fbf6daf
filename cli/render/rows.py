"""The columns of each kind of resource."""

from __future__ import annotations

from collections.abc import Sequence

from bai.cli.render.table import age, duration
from bai.compiler.resources.bodies import Workspace
from bai.compiler.resources.cluster import Cluster, FileServer
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.job import Job
from bai.runtime.provider.embedded import EmbeddedProvider
from bai.runtime.provider.records import ExecutionState, LiveResource

YIELDING = (
    *("TOOL", "ATTEMPT", "AGE", "DISKS", "VM SIZE", "NODES", "CLUSTER", "TIME", "EXIT"),
    *("WAITS FOR", "LOCATION", "RESOURCE GROUP", "WORKSPACE", "EXPERIMENT"),
)
"""Columns that give way where a terminal is narrow, the least important first."""


def rows(
    kind: Kind, found: Sequence[LiveResource], provider: EmbeddedProvider
) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of a table of resources of one kind."""
    match kind:
        case Kind.JOB:
            head = ["NAME", "EXPERIMENT", "CLUSTER", "TOOL", "NODES", "STATE", "EXIT"]
            head += ["ATTEMPT", "TIME", "AGE"]
            waits = [_wait(live, provider) for live in found]
            if not any(waits):
                return head, [_job(live) for live in found]
            lines = zip(found, waits, strict=True)
            return [*head, "WAITS FOR"], [[*_job(live), wait] for live, wait in lines]
        case Kind.CLUSTER:
            head = ["NAME", "WORKSPACE", "VM SIZE", "NODES", "IDLE", "RUNNING", "AGE"]
            return head, [_cluster(live, provider) for live in found]
        case Kind.FILE_SERVER:
            head = ["NAME", "WORKSPACE", "VM SIZE", "DISKS", "AGE"]
            return head, [_file_server(live) for live in found]
        case Kind.EXPERIMENT:
            head = ["NAME", "WORKSPACE", "AGE"]
            return head, [[e.id.name, e.id.workspace, age(e.created)] for e in found]
    head = ["NAME", "RESOURCE GROUP", "LOCATION", "AGE"]
    return head, [_workspace(live) for live in found]


def _job(live: LiveResource) -> list[str]:
    assert isinstance(live.body, Job)
    attempt, properties = live.attempt, live.body.properties
    took, state, code, number = "", "", "", ""
    if attempt:
        state, number = attempt.outcome, str(attempt.number)
        code = "" if attempt.exit_code is None else str(attempt.exit_code)
        if attempt.started:
            ended = attempt.ended
            took = (
                duration((ended - attempt.started).total_seconds())
                if ended
                else age(attempt.started)
            )
    cluster = ResourceId.parse(properties.cluster.id).name if properties.cluster else ""
    return [
        live.id.name,
        str(live.id.experiment),
        cluster,
        properties.toolkit.tool_type,
        str(properties.node_count),
        state,
        code,
        number,
        took,
        age(live.created),
    ]


def _wait(live: LiveResource, provider: EmbeddedProvider) -> str:
    if live.attempt is None or live.attempt.state is not ExecutionState.QUEUED:
        return ""
    waiting = provider.waiting(live.attempt.uuid)
    return waiting.what if waiting else ""


def _cluster(live: LiveResource, provider: EmbeddedProvider) -> list[str]:
    assert isinstance(live.body, Cluster)
    size = live.body.properties.scale_settings.most_nodes
    busy = len(provider.held_nodes(live.id))
    return [
        live.id.name,
        live.id.workspace,
        live.body.properties.vm_size,
        str(size),
        str(size - busy),
        str(busy),
        age(live.created),
    ]


def _file_server(live: LiveResource) -> list[str]:
    assert isinstance(live.body, FileServer)
    disks = live.body.properties.data_disks
    text = f"{disks.disk_count} x {disks.disk_size_in_gb} GB"
    size = live.body.properties.vm_size
    return [live.id.name, live.id.workspace, size, text, age(live.created)]


def _workspace(live: LiveResource) -> list[str]:
    assert isinstance(live.body, Workspace)
    return [live.id.name, live.id.resource_group, live.body.location, age(live.created)]
