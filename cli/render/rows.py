"""The columns of each kind of resource."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bai.cli.render.table import age, duration
from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.jobs.records import ExecutionState, LiveResource, Waiting
from bai.runtime.provider.base import Provider
from bai.runtime.scheduling.records import NodeState
from bai.runtime.toolkits.registry import tool_type

YIELDING = (
    *("TOOL", "ATTEMPT", "AGE", "DISKS", "VM SIZE", "NODES", "CLUSTER", "TIME", "EXIT"),
    *("WAITS FOR", "LOCATION", "RESOURCE GROUP", "WORKSPACE", "EXPERIMENT"),
)
"""Columns that give way where a terminal is narrow, the least important first."""

_SHOWN_STATES = (NodeState.IDLE, NodeState.RUNNING)


def rows(found: Sequence[LiveResource], provider: Provider) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of a table of resources of one kind, at least one."""
    attempts = (live.attempt for live in found)
    is_any_queued = any(each and each.state is ExecutionState.QUEUED for each in attempts)
    waits = provider.waits() if is_any_queued else {}
    lines = [_columns(live, provider, waits) for live in found]
    if not any(line.get("WAITS FOR") for line in lines):
        lines = [{k: v for k, v in line.items() if k != "WAITS FOR"} for line in lines]
    return list(lines[0]), [list(line.values()) for line in lines]


def _columns(
    live: LiveResource, provider: Provider, waits: Mapping[str, Waiting]
) -> dict[str, str]:
    """Return heading -> value of a resource."""
    id, properties = live.id, live.wire.get("properties", {})
    line = {"NAME": id.name, "WORKSPACE": id.workspace}
    match id.kind:
        case Kind.JOB:
            return _job(live, properties, waits)
        case Kind.CLUSTER:
            states = provider.node_states(id)
            line |= {"VM SIZE": properties["vmSize"], "NODES": str(sum(states.values()))}
            line |= {state.upper(): str(states[state]) for state in _SHOWN_STATES}
        case Kind.FILE_SERVER:
            disks = properties["dataDisks"]
            sizes = f"{disks['diskCount']} x {disks['diskSizeInGB']} GB"
            line |= {"VM SIZE": properties["vmSize"], "DISKS": sizes}
        case Kind.WORKSPACE:
            place = live.wire["location"]
            line = {"NAME": id.name, "RESOURCE GROUP": id.resource_group, "LOCATION": place}
    return {**line, "AGE": age(live.created)}


def _job(
    live: LiveResource, properties: Mapping[str, Any], waits: Mapping[str, Waiting]
) -> dict[str, str]:
    attempt, cluster = live.attempt, properties.get("cluster")
    took = ""
    if attempt and attempt.started:
        end = attempt.ended
        took = duration((end - attempt.started).total_seconds()) if end else age(attempt.started)
    code = attempt.exit_code if attempt else None
    wait = waits.get(attempt.uuid) if attempt else None
    return {
        "NAME": live.id.name,
        "EXPERIMENT": str(live.id.experiment),
        "CLUSTER": ResourceId.parse(cluster["id"]).name if cluster else "",
        "TOOL": tool_type(properties),
        "NODES": str(properties["nodeCount"]),
        "STATE": attempt.outcome if attempt else "",
        "EXIT": "" if code is None else str(code),
        "ATTEMPT": str(attempt.number) if attempt else "",
        "TIME": took,
        "AGE": age(live.created),
        "WAITS FOR": wait.what if wait else "",
    }
