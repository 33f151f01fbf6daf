"""Whether a member of a sweep ends early, from what its script and those of the others report.

Decisions are pure: they depend on the reports until then, in the order in which they were recorded,
and on nothing else, neither time nor what runs. Values are costs here, of which less is better; one
that is not a number is infinite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bai.compiler.resources.sweep import MedianRule, SuccessiveHalving


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a member has come with a new report."""

    step: int
    """That of the report."""
    before: int
    """The highest step that it had reported before; -1 for none."""
    best: float
    """Its least cost up to that step."""


class Others(Protocol):
    """What the other members of a sweep have reported until now."""

    def best_until(self, step: int) -> Sequence[float]:
        """Return the least cost up to a step, of each that has come as far."""

    def best_from(self, step: int) -> Sequence[float]:
        """Return the least cost up to its first report from a step on, of each that has one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a member ends early."""

    step: int
    """The step at which members were compared."""
    best: float
    """Its least cost up to then."""
    limit: float
    """The highest cost with which it could go on."""
    rule: str
    """What the limit is, in words: `the median of 5 other jobs`."""


def verdict(
    rule: MedianRule | SuccessiveHalving, progress: Progress, others: Others
) -> Verdict | None:
    """Return why a member ends now; None if it goes on.

    Equal costs are equally good: only a member that is worse than another one ends.
    """
    match rule:
        case MedianRule(after):
            return _by_median(after, rule.fewest, progress, others)
        case SuccessiveHalving(factor, first):
            return _by_halving(factor, first, progress, others)


def _by_median(after: int, fewest: int, progress: Progress, others: Others) -> Verdict | None:
    # It takes long to import, and few sweeps need it.
    from statistics import median

    if progress.step < after:
        return None
    costs = others.best_until(progress.step)
    if len(costs) + 1 < fewest:
        return None
    limit = median(costs)
    words = f"the median of {len(costs)} other jobs"
    is_worse = progress.best > limit
    return Verdict(progress.step, progress.best, limit, words) if is_worse else None


def _by_halving(factor: int, first: int, progress: Progress, others: Others) -> Verdict | None:
    """Compare members where they come to a rung: the steps first, first * factor, and so on.

    A member whose reports leave out rungs is compared at the last one that it has come to. As long
    as fewer than `factor` have come to a rung, all go on.
    """
    rung = _rung(factor, first, progress.step)
    if rung is None or progress.before >= rung:
        return None
    costs = sorted([progress.best, *others.best_from(rung)])
    if len(costs) < factor:
        return None
    kept = len(costs) // factor
    limit = costs[kept - 1]
    best = f"the best {kept}" if kept > 1 else "the best"
    words = f"{best} of {len(costs)} jobs"
    return Verdict(rung, progress.best, limit, words) if progress.best > limit else None


def _rung(factor: int, first: int, step: int) -> int | None:
    """Return the last rung that a step has come to; None if it is before the first."""
    if step < first:
        return None
    rung = first
    while rung * factor <= step:
        rung *= factor
    return rung
