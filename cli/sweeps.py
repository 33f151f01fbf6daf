"""What commands do with sweeps."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING, Any, Final

import typer

from bai.cli import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bai.handle import JobHandle
    from bai.session import Session
    from bai.sweeps import SweepHandle, SweepMember

_YIELDING = ("AT ONCE", "EXPERIMENT", "TERMINATING", "CANCELLED")
_ALWAYS: Final = ("queued", "running", "succeeded", "failed")
"""Outcomes that the table of sweeps shows also where no member has them."""
_SHOWN_FAILED: Final = 5
"""How many members are named that have failed."""


def is_sweep(kind: str) -> bool:
    """Return whether the first word of a command means sweeps."""
    return kind.partition("/")[0].lower() in ("sweep", "sweeps")


def sweep_called(session: Session, name: str) -> SweepHandle | None:
    """Return the sweep that a name means, which is not that of a job; None if it is no sweep's."""
    from bai.compiler.resources.ids import Kind
    from bai.runtime.errors import NotFoundError

    sweep = is_sweep(name) and "/" in name
    if not sweep and session.provider.ids(Kind.JOB, name=name.split("/")[-1]):
        return None
    try:
        return session.sweep(name.partition("/")[2] if sweep else name)
    except NotFoundError:
        if sweep:
            raise
        return None


def named(
    session: Session, names: Sequence[str]
) -> tuple[Sequence[JobHandle], Sequence[SweepHandle]]:
    """Return the jobs and the sweeps of some names, each once.

    Raises:
        NotFoundError: there is neither of one of the names.
    """
    jobs, sweeps = {}, {}
    for name in names:
        if sweep := sweep_called(session, name):
            sweeps[str(sweep.id)] = sweep
        else:
            job = session.job(name)
            job.report = options.note
            jobs[job.id] = job
    return list(jobs.values()), list(sweeps.values())


def standing(sweep: SweepHandle) -> str:
    """Return how the members of a sweep stand in a line: `sweep/train: 5 succeeded, 1 failed`."""
    from bai.sweeps import counts_in_words

    return f"{sweep.id.label}: {counts_in_words(sweep.counts) or 'no jobs'}"


def print_failed(sweep: SweepHandle, out: IO[str]) -> None:
    """Write the first members of a sweep that have failed, each with its point and its reason."""
    from bai.cli.render.summary import end_of, print_errors
    from bai.compiler.resources.sweep import point_text

    failed = sweep.failed
    for member in failed[:_SHOWN_FAILED]:
        out.write(f"{end_of(member.job)} ({point_text(member.point)})\n")
        print_errors(member.job.attempt, out)
    if (rest := len(failed) - _SHOWN_FAILED) > 0:
        out.write(f"and {rest} more: `bai describe sweep {sweep.name}` lists all\n")


def show_sweeps(session: Session, name: str | None, output: str) -> None:
    """Print one sweep, or all.

    Args:
        session: what to ask.
        name: the name of a sweep; None for all.
        output: `table`, `json`, `yaml` or `name`.
    """
    found = [session.sweep(name)] if name else session.sweeps()
    match output:
        case "name":
            for sweep in found:
                typer.echo(f"sweep/{sweep.id.experiment.name}/{sweep.name}")
        case "table":
            _table(session, found)
        case _:
            from bai.cli.render.data import list_texts

            shown = map(_data, found)
            sys.stdout.writelines(list_texts(shown, output, is_terminal=sys.stdout.isatty()))


def _data(sweep: SweepHandle) -> dict[str, Any]:
    return {
        "id": str(sweep.id),
        "name": sweep.name,
        "settings": sweep.settings.to_json(),
        "counts": sweep.counts,
    }


def _table(session: Session, found: list[SweepHandle]) -> None:
    from bai.cli.render.table import print_table
    from bai.sweeps import OUTCOMES

    if not found:
        typer.echo(f"there are no sweeps in {session.context.state}", err=True)
        return
    counts = [sweep.counts for sweep in found]
    # Few sweeps have members of the other outcomes.
    seen = {outcome for each in counts for outcome in each}
    outcomes = [each for each in OUTCOMES if each in seen or each in _ALWAYS]
    lines = [
        [
            sweep.name,
            sweep.id.experiment.name,
            str(sum(each.values())),
            *(str(each.get(outcome, 0)) for outcome in outcomes),
            str(sweep.settings.concurrency or ""),
        ]
        for sweep, each in zip(found, counts, strict=True)
    ]
    head = ["NAME", "EXPERIMENT", "JOBS", *(each.upper() for each in outcomes), "AT ONCE"]
    print_table(head, lines, sys.stdout, _YIELDING)


def describe_sweep(session: Session, name: str) -> None:
    """Print the settings of a sweep, all its members, and the best of them."""
    from bai.cli.render.table import print_table
    from bai.cli.render.values import value_text
    from bai.sweeps import best_of, settings_in_words

    if not name:
        raise typer.BadParameter("which sweep? `bai get sweeps` lists them", param_hint="NAME")
    sweep = session.sweep(name)
    members, objective = sweep.members, sweep.settings.objective
    typer.echo(standing(sweep))
    typer.echo(f"  {settings_in_words(sweep.settings)}")
    keys = list(dict.fromkeys(key for member in members for key in member.point))
    head = ["NAME", *keys, "STATE", *([objective.metric] if objective else [])]
    lines = [
        [
            member.job.name,
            *(value_text(member.point.get(key, "")) for key in keys),
            member.outcome,
            *([_metric(member)] if objective else []),
        ]
        for member in members
    ]
    if lines:
        typer.echo("")
        print_table(_distinct(head), lines, sys.stdout)
    if best := best_of(members, objective):
        point = ", ".join(f"{key} = {value_text(value)}" for key, value in best.point.items())
        typer.echo(f"\nbest: {best.job.name} ({point})")
    elif objective and (names := sweep.metric_names()) and objective.metric not in names:
        said = f"no job has reported {objective.metric}, but {', '.join(names)}"
        typer.echo(f"\n{said}: is it the metric of objective?")


def _metric(member: SweepMember) -> str:
    return "" if member.metric is None else f"{member.metric:.4g}"


def _distinct(head: list[str]) -> list[str]:
    """Return headings each of which is another one: a metric may be called as a key is."""
    found: list[str] = []
    for heading in head:
        while heading in found:
            heading += "'"
        found.append(heading)
    return found
