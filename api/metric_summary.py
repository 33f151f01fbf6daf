"""The newest, lowest and highest values of metrics, as a table for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite, nan
from typing import Final

from bai.metric_points import OWN, MetricPoint
from bai.specs.words import sized

MOST_RANKS: Final = 8
"""How many ranks of a metric have rows; of more, the two with the lowest and the highest value."""


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """A table of metrics: a row for each of each job, or for each rank where these differ."""

    head: Sequence[str]
    """The headings; what says nothing has no column."""
    rows: Sequence[Sequence[str]]
    left_out: int
    """How many rows of ranks there would be besides."""


@dataclass(slots=True)
class _Values:
    """The values of one metric of one rank of one job."""

    newest: MetricPoint
    lowest: float = nan
    highest: float = nan

    def add(self, point: MetricPoint) -> None:
        self.newest = point
        # What is no number, or infinite, is neither; nan gives way to any number here.
        if isfinite(point.value):
            self.lowest = min(point.value, self.lowest)
            self.highest = max(point.value, self.highest)

    @property
    def shown(self) -> tuple[int | None, float, float, float]:
        """What ranks are compared by."""
        return self.newest.step, self.newest.value, self.lowest, self.highest


def summarize(points: Iterable[MetricPoint]) -> MetricSummary:
    """Return the table of some points; what scripts reported comes before what bai measured."""
    found: dict[tuple[str, str], dict[int | None, _Values]] = {}
    for point in points:
        ranks = found.setdefault((point.job, point.name), {})
        ranks.setdefault(point.rank, _Values(point)).add(point)
    rows, left_out = [], 0
    jobs = list(dict.fromkeys(job for job, _ in found))
    order = sorted(found, key=lambda key: (jobs.index(key[0]), key[1].startswith(OWN)))
    for job, name in order:
        ranks = found[job, name]
        kept = _kept(ranks)
        left_out += (len(ranks) - len(kept)) if len(kept) > 1 else 0
        rows += [_row(job, name, rank, values) for rank, values in kept]
    head = ["job", "metric", "rank", "step", "newest", "lowest", "highest"]
    shown = [True, True, any(row[2] for row in rows), any(row[3] for row in rows), True, True, True]
    shown[0] = len(jobs) > 1
    return MetricSummary(_only(head, shown), [_only(row, shown) for row in rows], left_out)


def _only(cells: Sequence[str], shown: Sequence[bool]) -> list[str]:
    return [cell for cell, is_shown in zip(cells, shown, strict=True) if is_shown]


def _kept(ranks: dict[int | None, _Values]) -> Sequence[tuple[int | None, _Values]]:
    """Return the ranks that have rows: one that stands for all if they are alike."""
    found = sorted(ranks.items(), key=lambda each: -1 if each[0] is None else each[0])
    if len(found) > 1 and len({values.shown for values in ranks.values()}) == 1:
        return [(None, found[0][1])]
    if len(found) > MOST_RANKS:
        by_value = sorted(found, key=lambda each: each[1].newest.value)
        return [by_value[0], by_value[-1]]
    return found


def _row(job: str, name: str, rank: int | None, values: _Values) -> list[str]:
    newest = values.newest
    numbers = newest.value, values.lowest, values.highest
    return [
        job,
        name,
        "" if rank is None else str(rank),
        "" if newest.step is None else str(newest.step),
        *(_number(name, value) for value in numbers),
    ]


def _number(name: str, value: float) -> str:
    return sized(int(value)) if name.endswith("_bytes") else f"{value:.4g}"
