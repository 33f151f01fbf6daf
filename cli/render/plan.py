"""A plan, as `diff` and `apply` show it, and what apply has done, for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import IO, TYPE_CHECKING, Any

from bai.cli.render.style import Style
from bai.cli.render.summary import ended_since
from bai.cli.render.sweeps import PlannedSweeps
from bai.cli.render.values import value_text
from bai.compiler.importer.spec_form import spec_form
from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.short_names import ShortNames
from bai.runtime.plan.differences import MISSING, Difference
from bai.runtime.plan.plan import Action, Change, Plan

if TYPE_CHECKING:
    from bai.handle import JobHandle

_SIGNS = {
    Action.CREATE: ("+", "green", "create"),
    Action.UPDATE: ("~", "yellow", "change in place"),
    Action.REPLACE: ("±", "magenta", "replace: a new attempt"),
    Action.RERUN: ("↻", "cyan", "run again: a new attempt"),
    Action.REFUSE: ("!", "red", "can't be changed"),
}

_COLOURS = {"+": "green", "-": "red", "~": "yellow"}
_LONG = 100
"""Columns from which the two sides of a difference stand below each other."""


def print_plan(plan: Plan, file: IO[str], *, full: bool, wire: bool = False) -> None:
    """Print the pending changes of a plan, and what is to be known of jobs that it leaves alone.

    Args:
        plan: what to print.
        file: where to.
        full: whether to print every value of what is created, and which jobs have failed.
        wire: whether to speak of Batch AI's wire forms in place of specs.
    """
    style = Style(file)
    for note in plan.notes:
        file.write(f"{style('note:', 'yellow', 'bold')} {note}\n")
    sweeps = PlannedSweeps(plan)
    for change in plan.pending:
        if heading := sweeps.heading(change.resource.id):
            file.write(_sweep(heading, style))
        sign, colour, words = _SIGNS[change.action]
        if change.is_unasked:
            words = "replace: --rerun starts a new attempt"
        remark = change.resource.remark if change.action is Action.CREATE else None
        reason = f" ({change.reason or remark})" if change.reason or remark else ""
        name = style(f"{sign} {plan.label(change.resource.id)}", colour, "bold")
        point = sweeps.point(change)
        file.write(f"{name}  {words}{reason}{': ' if point else ''}{point}\n")
        if sweeps.is_like_another(change):
            continue
        for line in _lines(change, full=full, wire=wire):
            mark = _COLOURS[line.lstrip()[0]]
            file.write(style(line, mark) + "\n")
    for heading in sweeps.others():
        file.write(_sweep(heading, style))
    for change in plan.changes:
        words = "unchanged"
        if full and change.failed:
            words += f" ({ended_since(change.failed)})"
        if change.newer:
            words += f", but {change.newer_files}"
        if words != "unchanged":
            label = style(f"= {plan.label(change.resource.id)}", "bold")
            file.write(f"{label}  {words}: --rerun runs it again\n")
    file.write(style(plan.totals, "bold") + "\n")


def _sweep(text: str, style: Style) -> str:
    first, *rest = text.split("\n")
    colours = [_COLOURS[first[0]]] if first[0] in _COLOURS else []
    lines = [style(first, *colours, "bold"), *(style(each, *colours) for each in rest)]
    return "".join(f"{line}\n" for line in lines)


def _lines(change: Change, *, full: bool, wire: bool) -> Iterator[str]:
    if change.action is Action.CREATE and full:
        id, body = change.resource.id, change.resource.to_wire()
        for path, value in _leaves(body if wire else spec_form(id, body)):
            yield f"    + {path}: {_near(value, id)}"
    for difference in change.on_wire if wire else change.in_spec:
        yield from _difference(difference)


def _difference(difference: Difference) -> Iterator[str]:
    place, before, after = difference.place, difference.before, difference.after
    if before is MISSING:
        yield f"    + {place}: {value_text(after)}"
    elif after is MISSING:
        yield f"    - {place}: {value_text(before)}"
    elif len(line := f"    ~ {place}: {value_text(before)} -> {value_text(after)}") <= _LONG:
        yield line
    else:
        yield from (
            f"    ~ {place}",
            f"        - {value_text(before)}",
            f"        + {value_text(after)}",
        )


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            below = f"{path}.{key}" if path and path != "properties" else key
            yield from _leaves(inner, below)
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{index}]")
    elif path:
        yield path, value_text(value)


def _near(value: str, id: ResourceId) -> str:
    """Return an ARM id of the same workspace in short."""
    try:
        other = ResourceId.parse(value)
    except ValueError:
        return value
    return other.label if other.sibling(id.kind, id.name, id.experiment) == id else value


def print_results(
    results: Mapping[ResourceId, str],
    output: str,
    file: IO[str],
    label: Callable[[ResourceId], str] | None = None,
    jobs: Iterable[JobHandle] = (),
) -> None:
    """Print what was done with resources, or what would be in a dry run.

    Args:
        results: resource -> what was, or would be, done with it.
        output: `name` for a line each, `json` for an array of objects.
        file: where to.
        label: returns the names of resources; by default the shortest among these.
        jobs: those of the resources that run or have run, whose attempts are printed as well.
    """
    if output == "name":
        short = label or ShortNames(results).label
        file.writelines(f"{short(id)}\n" for id in results)
        return
    attempts = {job.id: _attempt(job) for job in jobs}
    data = [
        {"kind": id.kind.singular, "name": id.name, "id": str(id), "result": word}
        | attempts.get(id, {})
        for id, word in results.items()
    ]
    file.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def _attempt(job: JobHandle) -> dict[str, Any]:
    attempt = job.attempt
    return {
        "attempt": attempt.number,
        "state": attempt.state.value,
        "exitCode": attempt.exit_code,
        "errors": [{"code": error.code, "message": error.message} for error in attempt.errors],
        # JSON has neither NaN nor infinity.
        "metrics": {k: v if isfinite(v) else None for k, v in job.final_metrics().items()},
        "logs": job.log_files.address,
        "outputs": {name: found.address for name, found in job.outputs.items()},
    }
