"""The columns of each kind of resource."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import compress
from typing import Any

from bai.cli.render.table import age
from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.jobs.records import ExecutionState, LiveResource
from bai.runtime.jobs.waiting import Waiting
from bai.runtime.provider.base import Provider
from bai.runtime.scheduling.records import NodeState
from bai.runtime.toolkits.registry import tool_type
from bai.specs.words import duration

_WAITS_FOR = "WAITS FOR"

YIELDING = (
    *("TOOL", "ATTEMPT", "AGE", "DISKS", "VM SIZE", "NODES", "CLUSTER", "TIME", "EXIT"),
    *(_WAITS_FOR, "SWEEP", "LOCATION", "RESOURCE GROUP", "WORKSPACE", "EXPERIMENT"),
)
"""Columns that give way where a terminal is narrow, the least important first."""

_SPECIAL = ("PREPARING", "LEAVING", "UNUSABLE", "SWEEP", _WAITS_FOR)
"""Columns that are left out where they say nothing."""

_NOTHING = ("", "0")


def rows(found: Iterable[LiveResource], provider: Provider) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of a table of resources of one kind; nothing for none.

    Of a long list that is read in pages, only the rows are kept.
    """
    head: list[str] = []
    lines: list[list[str]] = []
    waits: Mapping[str, Waiting] | None = None
    for live in found:
        if waits is None and live.attempt and live.attempt.state is ExecutionState.QUEUED:
            waits = provider.waits()
        line = _columns(live, provider, waits or {})
        head = head or list(line)
        lines.append(list(line.values()))
    kept = [
        heading not in _SPECIAL or any(line[index] not in _NOTHING for line in lines)
        for index, heading in enumerate(head)
    ]
    return list(compress(head, kept)), [list(compress(line, kept)) for line in lines]


def _columns(
    live: LiveResource, provider: Provider, waits: Mapping[str, Waiting]
) -> dict[str, str]:
    """Return heading -> value of a resource."""
    id, properties = live.id, live.wire.get("properties", {})
    if id.kind is Kind.JOB:
        return _job(live, properties, waits)
    line = {"NAME": id.name, "WORKSPACE": id.workspace}
    match id.kind:
        case Kind.CLUSTER:
            states = provider.node_states(id)
            line |= {"VM SIZE": properties["vmSize"], "NODES": str(sum(states.values()))}
            line |= {state.upper(): str(states[state]) for state in NodeState}
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
        "SWEEP": attempt.sweep.name if attempt and attempt.sweep else "",
        "TOOL": tool_type(properties),
        "NODES": str(properties["nodeCount"]),
        "STATE": attempt.outcome if attempt else "",
        "EXIT": "" if code is None else str(code),
        "ATTEMPT": str(attempt.number) if attempt else "",
        "TIME": took,
        "AGE": age(live.created),
        _WAITS_FOR: wait.what if wait else "",
    }
