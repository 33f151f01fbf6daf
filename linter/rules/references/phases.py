"""BAI413: a variable is used where it is set already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Final

from bai.compiler.batchai.variables import BASES, CLUSTER_ROOT, JOB_ROOT, TOOLKITS
from bai.compiler.resources.ids import Kind
from bai.linter.facts.memo import memo
from bai.linter.facts.variables import Use, variable_uses
from bai.linter.resource_view import ResourceView
from bai.linter.rules.references.variable_rule import Words, variable_rule

_EARLY_PATHS: Final[dict[str | int, str]] = {
    "stdOutErrPathPrefix": "the logs' path",
    "outputDirectories": "an output's path",
    "inputDirectories": "an input's path",
}
"""Key of a job's paths that are made before its directories are -> what they are."""
_MOST_CYCLES: Final = 10
"""Circles of inputs of one job that are looked for."""


@variable_rule("BAI413", Kind.JOB, Kind.CLUSTER)
def phases(use: Use, resource: ResourceView) -> Words | None:
    if not use.is_known:
        return None
    if resource.kind is Kind.CLUSTER:
        return _in_setup_task(use)
    return None if use.name in BASES else _too_early(resource, use)


def _in_setup_task(use: Use) -> Words | None:
    """Return what is wrong with a variable that no setup task has."""
    if use.name == CLUSTER_ROOT:
        return None
    message = f"a setup task runs before any job: {_shown(use)} is not set"
    return message, f"use ${CLUSTER_ROOT}" if use.name == JOB_ROOT else "only jobs have it"


def _too_early(job: ResourceView, use: Use) -> Words | None:
    """Return what is wrong with a variable of a job that is not set yet at its place."""
    key = use.path[1] if len(use.path) > 1 else ""
    what = _EARLY_PATHS.get(key)
    if key == "jobPreparation" and use.name in TOOLKITS:
        message = f"the preparation runs before the processes: {use.name} is not set"
        return message, "move what needs it to the job's command or script"
    if key == "inputDirectories" and _is_other_input(job, use):
        cycle = _cycles(job).get(_link(job, use))
        if cycle is None:
            return None
        *others, last = cycle
        message = f"the paths of the inputs {', '.join(others)} and {last} use each other"
        return message, f"begin the path of one of them with {_form(job)}"
    if what is None:
        return None
    form = _form(job)
    return f"{_shown(use)} is not set yet where {what} is made", f"begin the path with {form}"


def _form(job: ResourceView) -> str:
    """Return the prefix of a path that needs no input or output."""
    return "${mounts.NAME}" if job.is_compiled else f"${JOB_ROOT}/NAME"


@memo
def _cycles(job: ResourceView) -> Mapping[tuple[str, str], Sequence[str]]:
    """Return the cycles of inputs whose paths depend on each other, each once.

    The key is (the cycle's first input, the input of the cycle that its path uses).
    """
    entries = job.entries("properties", "inputDirectories")
    order = {str(entry.get("id")): at for at, (_, entry) in enumerate(entries)}
    parts: dict[str, dict[str, None]] = {id: {} for id in order}
    for use in variable_uses(job):
        own, part = _link(job, use)
        if use.path[1:2] == ("inputDirectories",) and own != part and {own, part} <= parts.keys():
            parts[own][part] = None
    found: dict[tuple[str, str], Sequence[str]] = {}
    for _ in range(_MOST_CYCLES):
        try:
            TopologicalSorter(parts).prepare()
        except CycleError as error:
            # Each input is used in the path of the next one.
            cycle: list[str] = error.args[1][1:]
            at = min(range(len(cycle)), key=lambda index: order[cycle[index]])
            first, part = cycle[at], cycle[at - 1]
            found[first, part] = sorted(cycle, key=order.__getitem__)
            del parts[first][part]
        else:
            break
    return found


def _link(job: ResourceView, use: Use) -> tuple[str, str]:
    """Return (the input with the path that a use is in, the input that is used)."""
    group, id = use.directory or ("", "")
    return _input_of(job, use), id if group == "INPUT" else ""


def _input_of(job: ResourceView, use: Use) -> str:
    """Return the id of the input with the path that a use is in."""
    return job.text(*use.path[:3], "id") or ""


def _is_other_input(job: ResourceView, use: Use) -> bool:
    """Return whether an input's path uses that of another input."""
    group, id = use.directory or (None, None)
    return group == "INPUT" and id != _input_of(job, use)


def _shown(use: Use) -> str:
    """Return the name that messages call a variable by, which may be `${outputs.MODEL}`."""
    group, id = use.directory or ("", "")
    return f"{group.lower()} {id}" if id else use.name
