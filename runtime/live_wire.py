"""Live resources in the form of the service's answers, api-version 2018-05-01."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bai.compiler.resources.ids import Kind
from bai.runtime.jobs.paths import path_segment
from bai.runtime.jobs.records import Attempt, JobError, LiveResource
from bai.runtime.provider.base import Provider
from bai.runtime.scheduling.records import NodeState
from bai.runtime.toolkits.registry import tool_type

_SECRET = frozenset({"accountKey", "password", "adminUserPassword", "instrumentationKey"})
_SHARE_DEFAULTS = {"fileMode": "0777", "directoryMode": "0777"}


def to_live_wire(live: LiveResource, provider: Provider) -> dict[str, Any]:
    """Return what a GET of the resource answers: its wire form, defaults and state; no secrets."""
    # Tags have the user's own names, which mean nothing here.
    wire = {k: v if k == "tags" else _without_secrets(v) for k, v in live.wire.items()}
    properties = wire.setdefault("properties", {})
    properties |= {
        "creationTime": stamp(live.created),
        "provisioningState": "deleting" if live.is_deleting else "succeeded",
        "provisioningStateTransitionTime": stamp(live.created),
    }
    if live.id.kind is Kind.JOB:
        _complete_job(properties, live)
    elif live.id.kind is Kind.CLUSTER:
        _complete_cluster(properties, live, provider)
    return {"id": str(live.id), "name": live.id.name, "type": live.id.type, **wire}


def _complete_job(properties: dict[str, Any], live: LiveResource) -> None:
    properties.setdefault("schedulingPriority", "normal")
    properties.setdefault("constraints", {}).setdefault("maxWallClockTime", "P7D")
    properties["toolType"] = tool_type(properties)
    properties["experimentName"] = live.id.experiment
    _complete_shares(properties)
    if attempt := live.attempt:
        properties["executionState"] = attempt.state.value
        properties["executionStateTransitionTime"] = stamp(attempt.state_since)
        properties["jobOutputDirectoryPathSegment"] = path_segment(live.id, attempt.uuid)
        if info := _execution_info(attempt):
            properties["executionInfo"] = info


def _complete_shares(properties: dict[str, Any]) -> None:
    for share in properties.get("mountVolumes", {}).get("azureFileShares", ()):
        share |= {key: share.get(key, value) for key, value in _SHARE_DEFAULTS.items()}


def _execution_info(attempt: Attempt) -> dict[str, Any]:
    info: dict[str, Any] = {}
    if attempt.started:
        info["startTime"] = stamp(attempt.started)
    if attempt.ended:
        info["endTime"] = stamp(attempt.ended)
    if attempt.exit_code is not None:
        info["exitCode"] = attempt.exit_code
    if attempt.errors:
        info["errors"] = [error_data(error) for error in attempt.errors]
    return info


def error_data(error: JobError, **more: str) -> dict[str, Any]:
    """Return an error in wire form, with further details."""
    details = {**more, **error.details}
    return {
        "code": error.code,
        "message": error.message,
        "details": [{"name": k, "value": v} for k, v in details.items()],
    }


def _complete_cluster(properties: dict[str, Any], live: LiveResource, provider: Provider) -> None:
    states = provider.node_states(live.id)
    allocation, since = provider.allocation(live.id)
    properties.setdefault("vmPriority", "dedicated")
    setup = properties.get("nodeSetup", {})
    _complete_shares(setup)
    if "setupTask" in setup and (suffix := provider.setup_path_suffix(live.id)):
        setup["setupTask"]["stdOutErrPathSuffix"] = suffix
    properties |= {
        "allocationState": allocation,
        "allocationStateTransitionTime": stamp(since),
        "currentNodeCount": sum(states.values()),
        "nodeStateCounts": {f"{state}NodeCount": count for state, count in states.items()},
    }
    errors = [
        error_data(error, node=node.name)
        for node in (provider.nodes(live.id) if states[NodeState.UNUSABLE] else ())
        for error in node.errors
    ]
    if errors:
        properties["errors"] = errors


def _without_secrets(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_secrets(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {k: _without_secrets(v) for k, v in value.items() if k not in _SECRET}
    if "secrets" in kept:
        kept["secrets"] = [{"name": entry["name"]} for entry in kept["secrets"]]
    return kept


def stamp(time: datetime) -> str:
    """Return a time as the service writes it."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
