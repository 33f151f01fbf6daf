"""A sweep that was applied: its members, the best of them, and a table."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bai.arguments import timeout_seconds
from bai.compiler.resources.sweep import (
    Goal,
    MedianRule,
    Objective,
    SuccessiveHalving,
    Sweep,
    SweepId,
    point_of,
    point_text,
)
from bai.handle import JobHandle
from bai.poll_interval import PollInterval
from bai.runtime.errors import NotFoundError, WaitTimeoutError
from bai.runtime.provider.base import Provider
from bai.specs.words import counted
from bai.tables import data_frame

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from bai.metric_points import MetricPoint

OUTCOMES: Final = (
    "queued",
    "running",
    "terminating",
    "succeeded",
    "stopped early",
    "failed",
    "cancelled",
)
"""The outcomes of members, in the order in which they are counted."""


@dataclass(frozen=True, slots=True)
class SweepMember:
    """A member of a sweep: a job, and what tells it from the others."""

    job: JobHandle
    point: Mapping[str, Any]
    """Key of the space -> value."""
    outcome: str
    """The state of the job, as commands show it."""
    metric: float | None
    """The newest value of the sweep's metric; None if there is none yet, or no objective."""


class SweepHandle:
    """One sweep: its settings, members and best member, as they are now."""

    def __init__(self, provider: Provider, sweep: Sweep) -> None:
        """Handle a sweep; `bai.connect().sweep(name)` finds one."""
        self.provider = provider
        self.settings = sweep

    @property
    def id(self) -> SweepId:
        """The name of the sweep, and its experiment."""
        return self.settings.id

    @property
    def name(self) -> str:
        """The sweep's name."""
        return self.id.name

    @property
    def jobs(self) -> Sequence[JobHandle]:
        """The jobs of all members, oldest first."""
        live = self.provider.members(self.id)
        return [JobHandle(self.provider, each.id, each.attempt) for each in live if each.attempt]

    @property
    def members(self) -> Sequence[SweepMember]:
        """All members, oldest first; their metrics are read from their files."""
        return self._members()

    @property
    def failed(self) -> Sequence[SweepMember]:
        """The members that have failed, oldest first."""
        return self._members("failed")

    def metric_names(self) -> list[str]:
        """Return the names of all metrics that members have reported, sorted."""
        return sorted({name for job in self.jobs for name in _metrics_of(job)})

    @property
    def counts(self) -> dict[str, int]:
        """Outcome -> how many members have it; only what is there."""
        live = self.provider.members(self.id)
        found = Counter(each.attempt.outcome for each in live if each.attempt)
        return {outcome: found[outcome] for outcome in OUTCOMES if found[outcome]}

    @property
    def best(self) -> SweepMember | None:
        """The member whose metric is best now; None without an objective or any value.

        The oldest of several with the same value.
        """
        return best_of(self.members, self.settings.objective)

    def table(self) -> DataFrame:
        """Return a table of the members: name, values of the space, state and metric.

        Raises:
            ModuleNotFoundError: pandas is not installed.
        """
        metric = self.settings.objective.metric if self.settings.objective else None
        rows = (
            {"name": each.job.name, **each.point, "state": each.outcome}
            | ({metric: each.metric} if metric else {})
            for each in self.members
        )
        return data_frame(rows, "of a sweep", "members")

    def metric_points(self) -> Iterator[MetricPoint]:
        """Iterate over the metrics of all members, as `JobHandle.metric_points` has them."""
        for job in self.jobs:
            yield from job.metric_points()

    def metric_labels(self) -> Mapping[str, str]:
        """Return what members are called in figures, by their jobs in `metric_points`."""
        return {
            name: point_text(member.point)
            for member in self.members
            for name in member.job.metric_labels()
        }

    def metrics_table(self) -> DataFrame:
        """Return a table of `metric_points`: job, rank, name, step, time, value.

        Raises:
            ModuleNotFoundError: pandas is not installed.
        """
        from bai.metric_points import points_table

        return points_table(self.metric_points())

    def figure(self, *names: str) -> Figure:
        """Return a figure with the metrics of all members over one another: `bai.figure`.

        Raises:
            ModuleNotFoundError: matplotlib is not installed.
            NotFoundError: there are no metrics, or none of that name.
        """
        from bai.figures import figure

        return figure(self, *names)

    def cancel(self) -> None:
        """Ask for the end of all members that have not ended; `wait` awaits it."""
        self.provider.cancel_sweep(self.id)

    def wait(self, timeout: float | str | None = None, begun: float | None = None) -> SweepHandle:
        """Wait until all members have ended, and return this sweep.

        Args:
            timeout: the longest wait, in seconds or as a text: `90s`, `1h30m`; None for no end.
            begun: the time (`time.monotonic()`) from which that counts; by default now.

        Raises:
            ValueError: the timeout is no length of time.
            WaitTimeoutError: some have not ended in time; they go on.
        """
        longest, since = timeout_seconds(timeout), time.monotonic() if begun is None else begun
        deadline = None if longest is None else since + longest
        interval = PollInterval(self.provider)
        while going := [job for job in self.jobs if not job.state.ended]:
            if deadline is not None and time.monotonic() > deadline:
                jobs = counted(len(going), "job")
                message = f"the sweep {self.name} still has {jobs} after {longest:g}s"
                raise WaitTimeoutError(message)
            interval.wait([job.attempt.uuid for job in going])
        return self

    def _members(self, outcome: str | None = None) -> list[SweepMember]:
        """Return the members with an outcome, by default all."""
        found = []
        for live in self.provider.members(self.id):
            if live.attempt and outcome in (None, live.attempt.outcome):
                job = JobHandle(self.provider, live.id, live.attempt)
                metric = self._metric(job)
                found.append(SweepMember(job, point_of(live.wire), live.attempt.outcome, metric))
        return found

    def _metric(self, job: JobHandle) -> float | None:
        objective = self.settings.objective
        return _metrics_of(job).get(objective.metric) if objective else None

    def __repr__(self) -> str:
        return f"<Sweep {self.name}: {counts_in_words(self.counts) or 'no members'}>"


def counts_in_words(counts: Mapping[str, int]) -> str:
    """Return how many members have each outcome: `5 succeeded, 1 failed`."""
    return ", ".join(f"{counts[each]} {each}" for each in OUTCOMES if counts.get(each))


def settings_in_words(settings: Sweep) -> str:
    """Return the settings of a sweep: `2 at once; minimizes loss`."""
    limit = settings.concurrency
    words = ["any number of jobs at once" if limit is None else f"{limit} at once"]
    if (most := settings.stop_after_failures) is not None:
        words.append(f"no more start after {most} failed")
    if settings.objective:
        words.append(f"{settings.objective.goal}s {settings.objective.metric}")
    match settings.early_stopping:
        case MedianRule(after):
            words.append(f"the median rule stops jobs early, from step {after} on")
        case SuccessiveHalving(factor, first):
            steps = ", ".join(str(first * factor**power) for power in range(3))
            words.append(f"one job in {factor} goes on at each of the steps {steps}, ...")
    return "; ".join(words)


def _metrics_of(job: JobHandle) -> Mapping[str, float]:
    """Return the newest value of each metric of a job; none if its files are gone."""
    try:
        return job.final_metrics()
    except NotFoundError:
        return {}


def best_of(members: Sequence[SweepMember], objective: Objective | None) -> SweepMember | None:
    """Return the first member with the best metric; None if none has any."""
    if objective is None:
        return None
    sign = 1 if objective.goal is Goal.MINIMIZE else -1
    known = [each for each in members if each.metric is not None and each.metric == each.metric]
    return min(known, key=lambda each: sign * (each.metric or 0.0), default=None)
