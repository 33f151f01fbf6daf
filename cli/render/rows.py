"""The columns of each kind of resource."""

from __future__ import annotations

from collections.abc import Sequence

from bai.cli.render.table import age, duration
from bai.compiler.resources.bodies import Workspace
from bai.compiler.resources.cluster import Cluster, FileServer
from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.job import Job
from bai.runtime.jobs.records import ExecutionState, LiveResource, NodeState
from bai.runtime.provider.base import Provider

YIELDING = (
    *("TOOL", "ATTEMPT", "AGE", "DISKS", "VM SIZE", "NODES", "CLUSTER", "TIME", "EXIT"),
    *("WAITS FOR", "LOCATION", "RESOURCE GROUP", "WORKSPACE", "EXPERIMENT"),
)
"""Columns that give way where a terminal is narrow, the least important first."""

_SHOWN_STATES = (NodeState.IDLE, NodeState.RUNNING)


def rows(found: Sequence[LiveResource], provider: Provider) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of a table of resources of one kind, at least one."""
    lines = [_columns(live, provider) for live in found]
    if not any(line.get("WAITS FOR") for line in lines):
        lines = [{k: v for k, v in line.items() if k != "WAITS FOR"} for line in lines]
    return list(lines[0]), [list(line.values()) for line in lines]


def _columns(live: LiveResource, provider: Provider) -> dict[str, str]:
    """Return heading -> value of a resource."""
    id = live.id
    line = {"NAME": id.name, "WORKSPACE": id.workspace}
    match live.body:
        case Job() as job:
            return _job(live, job, provider)
        case Cluster(properties=cluster):
            states = provider.node_states(id)
            line |= {"VM SIZE": cluster.vm_size, "NODES": str(sum(states.values()))}
            line |= {state.upper(): str(states[state]) for state in _SHOWN_STATES}
        case FileServer(properties=server):
            disks = f"{server.data_disks.disk_count} x {server.data_disks.disk_size_in_gb} GB"
            line |= {"VM SIZE": server.vm_size, "DISKS": disks}
        case Workspace(location=location):
            line = {"NAME": id.name, "RESOURCE GROUP": id.resource_group, "LOCATION": location}
    return {**line, "AGE": age(live.created)}


def _job(live: LiveResource, job: Job, provider: Provider) -> dict[str, str]:
    attempt, properties = live.attempt, job.properties
    took = ""
    if attempt and attempt.started:
        took = age(attempt.started)
        if attempt.ended:
            took = duration((attempt.ended - attempt.started).total_seconds())
    code = attempt.exit_code if attempt else None
    return {
        "NAME": live.id.name,
        "EXPERIMENT": str(live.id.experiment),
        "CLUSTER": ResourceId.parse(properties.cluster.id).name if properties.cluster else "",
        "TOOL": properties.toolkit.tool_type,
        "NODES": str(properties.node_count),
        "STATE": attempt.outcome if attempt else "",
        "EXIT": "" if code is None else str(code),
        "ATTEMPT": str(attempt.number) if attempt else "",
        "TIME": took,
        "AGE": age(live.created),
        "WAITS FOR": _wait(live, provider),
    }


def _wait(live: LiveResource, provider: Provider) -> str:
    if live.attempt is None or live.attempt.state is not ExecutionState.QUEUED:
        return ""
    waiting = provider.waiting(live.attempt.uuid)
    return waiting.what if waiting else ""
