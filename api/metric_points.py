"""All metrics of an attempt as one long table: what scripts reported, and what bai measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from bai.event_files import Scalar
from bai.metrics_reader import MetricsReader
from bai.runtime.jobs.files import METRICS, USAGE, Files
from bai.runtime.jobs.metric_lines import Metrics

if TYPE_CHECKING:
    from pandas import DataFrame

STEP_SECONDS: Final = "bai/step_seconds"
"""Seconds from one reported step of a rank to its next one, for each step between."""
OWN: Final = "bai/"
"""What the names of those metrics begin with that bai measures."""

HOW_TO_REPORT: Final = (
    "a script reports them with `bai.metrics.report(step=..., loss=...)`, or writes TensorBoard "
    "event files to an output"
)
"""What helps where there are none."""


@dataclass(frozen=True, slots=True)
class MetricPoint:
    """One value of one metric: a row of the table."""

    job: str
    """The job's name, as `bai.job` takes it."""
    rank: int | None
    """The rank that reported it; None if it has none, or is not known."""
    name: str
    """The metric's. Those of `bai/` are measured by bai."""
    step: int | None
    """Steps done, where the script said how many."""
    time: float | None
    """Seconds since 1970, by the clock of the node; None where the script did not say."""
    value: float

    def to_json(self) -> dict[str, Any]:
        """Return the row; numbers that JSON does not know are null."""
        finite = self.value - self.value == 0
        return asdict(self) | {"value": self.value if finite else None}


class MetricSource(Protocol):
    """What has metrics: a job or a sweep."""

    def metric_points(self) -> Iterator[MetricPoint]:
        """Iterate over its metrics."""

    def metric_labels(self) -> Mapping[str, str]:
        """Return what its jobs are called in pictures, by their names in the table."""


COLUMNS: Final = tuple(MetricPoint.__dataclass_fields__)
"""The names of the columns."""


def read_points(files: Files, job: str, scalars: Iterable[Scalar]) -> Iterator[MetricPoint]:
    """Iterate over the metrics of an attempt: reports with step times, event files, usage.

    Args:
        files: the attempt's.
        job: the job's name.
        scalars: what its event files hold.
    """
    steps: dict[int | None, tuple[int, float]] = {}
    for found in MetricsReader(files, METRICS).read():
        for name, value in found.values.items():
            yield MetricPoint(job, found.rank, name, found.step, found.time, value)
        if (seconds := _step_seconds(steps, found)) is not None:
            yield MetricPoint(job, found.rank, STEP_SECONDS, found.step, found.time, seconds)
    for each in scalars:
        yield MetricPoint(job, None, each.name, each.step, each.time, each.value)
    for found in MetricsReader(files, USAGE).read():
        for name, value in found.values.items():
            yield MetricPoint(job, found.rank, name, None, found.time, value)


def _step_seconds(steps: dict[int | None, tuple[int, float]], found: Metrics) -> float | None:
    """Return how long each step took since the last one that this rank has reported.

    Args:
        steps: rank -> step and time of its last report, which is brought up to date.
        found: its new report.
    """
    if found.step is None or found.time is None:
        return None
    before = steps.get(found.rank)
    if before and found.step == before[0]:
        # Several reports of a step: the first one ends it.
        return None
    steps[found.rank] = found.step, found.time
    if before is None or found.step < before[0] or found.time < before[1]:
        # A run of the attempt that begins anew.
        return None
    return (found.time - before[1]) / (found.step - before[0])


def points_table(points: Iterable[MetricPoint]) -> DataFrame:
    """Return a table of points, with a column for each of their fields.

    Raises:
        ModuleNotFoundError: pandas is not installed.
    """
    from bai.tables import data_frame

    table = data_frame(
        (asdict(point) for point in points), "of metrics", "metric_points()", COLUMNS
    )
    return table.astype({"rank": "Int64", "step": "Int64", "time": "float64", "value": "float64"})
