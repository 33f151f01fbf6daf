"""What a report shows of metrics: curves, newest values, slow ranks, and how a sweep scales."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from statistics import median
from typing import Final

from bai.curves import Picture, chosen, pictures
from bai.figures import MOST, draw
from bai.html_report.template import Chart, Table
from bai.metric_points import STEP_SECONDS, MetricPoint
from bai.metric_summary import summarize
from bai.sweeps import SweepMember

_MOST_CHARTS: Final = 24
_SLOW: Final = 1.1
"""A rank is pointed out whose steps take so many times as long as usual."""
_SPEEDS: Final = ("per_second", "per_sec", "/second", "/sec", "/s")
"""What the names of metrics end with that grow with the number of processes."""
_SWITCHING: Final = {
    "#000000": "currentColor",
    "#333333": "currentColor",
    "#555555": "currentColor",
    "#dddddd": "var(--line)",
    "#ffffff": "none",
}
"""Colours of figures that depend on whether a page is light or dark."""


def charts_of(points: Sequence[MetricPoint], labels: Mapping[str, str]) -> Iterator[Chart]:
    """Iterate over the curves of all that was reported, a chart for each metric.

    Args:
        points: the metrics of a job or of a sweep.
        labels: job -> what it is called.

    Raises:
        ModuleNotFoundError: matplotlib is not installed.
    """
    if not points:
        return
    for picture in pictures(points, chosen(points, ())[:_MOST_CHARTS], labels, MOST):
        yield Chart(picture.name, _svg(picture))


def _svg(picture: Picture) -> str:
    figure = draw([picture])
    # After `draw`, which says what to install.
    from matplotlib import rc_context

    # The page has the name above it.
    figure.axes[0].set_title("")
    text = StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": picture.name}):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    for colour, switching in _SWITCHING.items():
        svg = svg.replace(colour, switching)
    # What comes before is for a file of its own.
    return svg[svg.index("<svg") :]


def metrics_table(points: Sequence[MetricPoint]) -> Iterator[Table]:
    """Iterate over the table of newest, lowest and highest values, if there are any."""
    if points:
        found = summarize(points)
        note = "Of many ranks, those with the lowest and the highest newest value."
        yield Table("Values", found.head, found.rows, note if found.left_out else "")


def stragglers(points: Iterable[MetricPoint]) -> Iterator[Table]:
    """Iterate over the table of how long the steps of each rank take, if several ranks report."""
    of_rank: dict[int, list[float]] = {}
    for point in points:
        if point.name == STEP_SECONDS and point.rank is not None:
            of_rank.setdefault(point.rank, []).append(point.value)
    if len(of_rank) < 2:
        return
    medians = {rank: median(values) for rank, values in sorted(of_rank.items())}
    usual = median(medians.values())
    rows = [
        [
            str(rank),
            f"{seconds:.4g}",
            f"{max(of_rank[rank]):.4g}",
            f"{seconds / usual:.2f}" if usual else "",
            "slow" if seconds > _SLOW * usual else "",
        ]
        for rank, seconds in medians.items()
    ]
    head = ["rank", "usual step, s", "slowest step, s", "to the usual rank", ""]
    yield Table("Steps of each rank", head, rows, "Usual is the median. Slow ranks hold up others.")


def scaling(members: Sequence[SweepMember], metric: str | None) -> Iterator[Table]:
    """Iterate over the table of how speed grows with processes, if the sweep is about that.

    It is if its metric is a speed, by its name, and its jobs differ in their processes.
    """
    if metric is None or not metric.endswith(_SPEEDS):
        return
    speeds: dict[int, float] = {}
    for member in members:
        if member.metric is not None and member.metric == member.metric:
            count = member.job.attempt.process_count
            speeds[count] = max(member.metric, speeds.get(count, member.metric))
    if len(speeds) < 2:
        return
    least = min(speeds)
    alone = speeds[least] / least
    rows = [
        [
            str(count),
            f"{speed:.4g}",
            f"{speed / count:.4g}",
            f"{100 * speed / count / alone:.0f} %" if alone else "",
        ]
        for count, speed in sorted(speeds.items())
    ]
    head = ["processes", metric, "for each process", f"efficiency, {least} is 100 %"]
    yield Table("Scaling", head, rows, "The best job with each number of processes.")
