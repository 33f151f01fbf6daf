"""bai metrics."""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.sessions import open_session
from bai.cli.sweeps import named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bai.handle import JobHandle
    from bai.metric_points import MetricPoint
    from bai.session import Session
    from bai.sweeps import SweepHandle

_METRIC = "metric/"
"""What a metric may begin with, so that it is not taken for a job of the same name."""


def metrics(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="JOB... [METRIC]...",
            help="Jobs and sweeps, each as NAME or EXPERIMENT/NAME, then the metrics to show: "
            "names, or patterns like 'val/*'. metric/NAME is one that is called as a job is.",
        ),
    ],
    plot: Annotated[bool, typer.Option("--plot", help="Draw curves.")] = False,
    attempt: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Number of the job's attempt, from 1; by default the last.", min=1
        ),
    ] = None,
    output: Annotated[str, options.output("table", "json", "csv")] = "table",
    context: options.ContextName = None,
) -> None:
    """Show or draw what jobs reported, and what they used.

    The table has the newest, the lowest and the highest value of each metric; of each rank, where
    ranks differ. json and csv are long: a value a row, with job, rank, name, step, time (in seconds
    since 1970) and value. Without metrics, curves are of all that scripts reported.
    """
    if plot and output != "table":
        raise typer.BadParameter("curves are for people: leave out one of the two", param_hint="-o")
    session = open_session(context)
    sources, names = _sources(session, what)
    if attempt is not None:
        sources = [_attempt(session, sources, attempt)]
    points = [point for source in sources for point in source.metric_points()]
    _require(points, names, sources)
    if output == "csv":
        _write_csv(_wanted(points, names))
    elif output == "json":
        from bai.cli.render.data import list_texts

        rows = (point.to_json() for point in _wanted(points, names))
        sys.stdout.writelines(list_texts(rows, output, is_terminal=sys.stdout.isatty()))
    elif plot:
        from bai.cli.render.curves import MOST, print_pictures
        from bai.curves import chosen, pictures

        print_pictures(pictures(points, chosen(points, names), _labels(sources), MOST), sys.stdout)
    else:
        from bai.cli.render.metric_table import print_metrics

        print_metrics(_wanted(points, names), sys.stdout)


def _sources(
    session: Session, what: Sequence[str]
) -> tuple[Sequence[JobHandle | SweepHandle], list[str]]:
    """Return the jobs and sweeps, and the metrics that are named behind them.

    Raises:
        NotFoundError: there is no job or sweep of the first name.
    """
    from bai.runtime.errors import NotFoundError

    sources: dict[str, JobHandle | SweepHandle] = {}
    metrics = []
    for word in what:
        if word.startswith(_METRIC) and sources:
            metrics.append(word.removeprefix(_METRIC))
            continue
        try:
            jobs, sweeps = named(session, [word])
        except NotFoundError:
            if not sources:
                raise
            metrics.append(word)
        else:
            sources |= {str(job.id): job for job in jobs}
            sources |= {str(sweep.id): sweep for sweep in sweeps}
    return list(sources.values()), metrics


def _attempt(
    session: Session, sources: Sequence[JobHandle | SweepHandle], number: int
) -> JobHandle:
    """Return an attempt of the job that is the only source.

    Raises:
        NotFoundError: it has no such attempt.
        typer.BadParameter: there are several sources, or it is a sweep.
    """
    from bai.handle import JobHandle

    (source, *more) = sources
    if more or not isinstance(source, JobHandle):
        what = "several jobs" if more else "a sweep"
        message = f"{what} can't have it: say one job, or leave it out"
        raise typer.BadParameter(message, param_hint="--attempt")
    handle = session.handle(source.id, number)
    handle.report = source.report
    return handle


def _require(
    points: Sequence[MetricPoint], names: Sequence[str], sources: Sequence[JobHandle | SweepHandle]
) -> None:
    """Say what is missing: of all that was asked for, or of what a script could have reported.

    Raises:
        NotFoundError: there are no metrics at all, or none of a name.
    """
    from bai.curves import chosen
    from bai.metric_points import HOW_TO_REPORT, OWN
    from bai.runtime.errors import NotFoundError

    label = ", ".join(_label(source) for source in sources)
    if not points:
        raise NotFoundError(f"{label} has no metrics yet: {HOW_TO_REPORT}")
    chosen(points, names)
    if not names and all(point.name.startswith(OWN) for point in points):
        options.note(f"{label} has reported no metrics: {HOW_TO_REPORT}")


def _label(source: JobHandle | SweepHandle) -> str:
    from bai.handle import JobHandle

    return source.label if isinstance(source, JobHandle) else source.id.label


def _labels(sources: Sequence[JobHandle | SweepHandle]) -> Mapping[str, str]:
    return {job: label for source in sources for job, label in source.metric_labels().items()}


def _wanted(points: Sequence[MetricPoint], names: Sequence[str]) -> Iterator[MetricPoint]:
    """Iterate over the points of some metrics, by default of all."""
    from bai.curves import chosen

    wanted = set(chosen(points, names)) if names else None
    return (point for point in points if wanted is None or point.name in wanted)


def _write_csv(points: Iterator[MetricPoint]) -> None:
    from bai.metric_points import COLUMNS

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([getattr(point, column) for column in COLUMNS] for point in points)
