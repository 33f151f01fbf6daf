"""The processes of a job, by the names that `JobHandle.logs` takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bai.runtime.jobs.records import FAILED_FIRST, PREPARATION_FAILED, JobError
from bai.runtime.toolkits.registry import launch
from bai.runtime.toolkits.task import Nodes, Task


def process_names(properties: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of a job's processes: `0`, `1`; `wk-0`, `ps-0` of TensorFlow."""
    return tuple(task.log_name for task in _tasks(properties))


def first_failed(errors: Iterable[JobError], properties: Mapping[str, Any]) -> str | None:
    """Return what failed first and ended a job: one of its processes, or a node's preparation.

    None if it has not failed so, or if that is unknown.
    """
    for error in errors:
        if error.code == PREPARATION_FAILED and (node := error.details.get("node")):
            return "preparation" if properties["nodeCount"] == 1 else f"{node} preparation"
        if failed := error.details.get(FAILED_FIRST):
            names = {task.name: task.log_name for task in _tasks(properties)}
            return names.get(failed)
    return None


def in_short(names: Sequence[str]) -> str:
    """Return names of processes in short: `ranks 0 to 3`, `wk-0 to wk-3 and ps-0`."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(name.rstrip("0123456789"), []).append(name)
    spans = [f"{found[0]} to {found[-1]}" if found[1:] else found[0] for found in kinds.values()]
    if "" in kinds:
        return f"ranks {spans[0]}" if names[1:] else "only rank 0"
    return " and ".join(spans) if names[1:] else f"only {spans[0]}"


def _tasks(properties: Mapping[str, Any]) -> Sequence[Task]:
    return launch(properties, Nodes(properties["nodeCount"])).tasks
