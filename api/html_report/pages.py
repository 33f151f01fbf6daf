"""The pages about a job and about a sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bai.compiler.resources.sweep import point_text
from bai.handle import JobHandle
from bai.html_report.contents import contents_of
from bai.html_report.horovod_timeline import timeline_table
from bai.html_report.metric_parts import charts_of, metrics_table, scaling, stragglers
from bai.html_report.template import Chart, Page, Table
from bai.html_report.timeline import timeline_of
from bai.metric_points import MetricPoint
from bai.sweeps import SweepHandle, SweepMember, best_of, counts_in_words, settings_in_words

_MOST_ROWS: Final = 100
"""Jobs of a sweep on its timeline."""
_MOST_FAILED: Final = 5
"""Failed jobs of a sweep that are shown in full, besides the best one."""


def job_page(job: JobHandle) -> Page:
    """Return what there is to show of an attempt of a job.

    Raises:
        NotFoundError: the job was deleted.
    """
    contents = contents_of(job)
    points = list(job.metric_points())
    charts, note = _charts(points, job.metric_labels())
    return Page(
        contents.label,
        contents.outcome,
        contents,
        timeline=timeline_of([job]),
        charts=charts,
        charts_note=note,
        last_tables=[*metrics_table(points), *stragglers(points), *timeline_table(job)],
    )


def sweep_page(sweep: SweepHandle) -> Page:
    """Return what there is to show of a sweep."""
    members = sweep.members
    best = best_of(members, sweep.settings.objective)
    objective = sweep.settings.objective
    charts, note = _charts(list(sweep.metric_points()), sweep.metric_labels())
    shown = [best, *[each for each in members if each.outcome == "failed"][:_MOST_FAILED]]
    return Page(
        sweep.id.label,
        counts_in_words(sweep.counts) or "no jobs",
        first_tables=[
            _members_table(sweep, members, best),
            *scaling(members, objective.metric if objective else None),
        ],
        timeline=timeline_of([each.job for each in members[:_MOST_ROWS]]),
        charts=charts,
        charts_note=note,
        members=[contents_of(each.job) for each in shown if each],
    )


def _charts(
    points: Sequence[MetricPoint], labels: Mapping[str, str]
) -> tuple[Sequence[Chart], str]:
    """Return charts, and a note about what is missing."""
    try:
        return list(charts_of(points, labels)), ""
    except ModuleNotFoundError as error:
        return (), f"There are no curves: {error}"


def _members_table(
    sweep: SweepHandle, members: Sequence[SweepMember], best: SweepMember | None
) -> Table:
    objective = sweep.settings.objective
    head = ["job", "values", "state", *([objective.metric] if objective else [])]
    rows = [
        [
            f"{each.job.name} (best)" if each is best else each.job.name,
            point_text(each.point),
            each.outcome,
            *([_number(each.metric)] if objective else []),
        ]
        for each in members
    ]
    return Table("Jobs", head, rows, settings_in_words(sweep.settings))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
