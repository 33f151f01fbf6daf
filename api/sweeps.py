"""A sweep that was applied: its members, the best of them, and a table."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bai.arguments import timeout_seconds
from bai.compiler.resources.sweep import Goal, Objective, Sweep, SweepId, point_of
from bai.handle import JobHandle
from bai.poll_interval import PollInterval
from bai.runtime.errors import NotFoundError, WaitTimeoutError
from bai.runtime.provider.base import Provider
from bai.specs.words import counted

if TYPE_CHECKING:
    from pandas import DataFrame

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
        try:
            from pandas import DataFrame
        except ModuleNotFoundError:
            raise ModuleNotFoundError(
                "the table of a sweep is a DataFrame of pandas, which is not installed: "
                "`pip install pandas`, or use `members`"
            ) from None
        metric = self.settings.objective.metric if self.settings.objective else None
        return DataFrame(
            [
                {"name": each.job.name, **each.point, "state": each.outcome}
                | ({metric: each.metric} if metric else {})
                for each in self.members
            ]
        )

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
