"""Metrics as curves: which belong into one picture, and what tells them apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Final

from bai.metric_points import OWN, MetricPoint
from bai.runtime.errors import NotFoundError
from bai.specs.names import suggestion

_SECONDS: Final = "seconds"


@dataclass(slots=True)
class Curve:
    """The values of one metric of one rank of one job."""

    job: str
    rank: int | None
    label: str = ""
    """What tells it from the others in its picture; empty if it is alone."""
    xs: list[float] = field(default_factory=list)
    ys: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Picture:
    """The curves of one metric."""

    name: str
    x_name: str
    """What is on the x axis: `step`, or else `seconds` since the first that is known of the job.

    It is `report`, the number of each value, where neither is known.
    """
    curves: Sequence[Curve]
    left_out: int = 0
    """How many curves there are besides: many ranks are alike."""

    @property
    def has_whole_xs(self) -> bool:
        """Whether the numbers on the x axis are whole."""
        return self.x_name != _SECONDS


def chosen(points: Sequence[MetricPoint], names: Sequence[str]) -> list[str]:
    """Return the names of the metrics that are asked for, in the order of the table.

    Args:
        points: the table.
        names: names, or patterns as of a shell: `val/*`. By default all that scripts reported, or
            what bai measured where they reported nothing.

    Raises:
        NotFoundError: no metric has one of these names.
    """
    known = list(dict.fromkeys(point.name for point in points))
    if not names:
        return [name for name in known if not name.startswith(OWN)] or known
    for name in names:
        if not any(fnmatchcase(each, name) for each in known):
            raise NotFoundError(f"there is no metric {name!r} ({suggestion(name, known)})")
    return [each for each in known if any(fnmatchcase(each, name) for name in names)]


def pictures(
    points: Sequence[MetricPoint],
    names: Iterable[str],
    labels: Mapping[str, str],
    most: int,
) -> list[Picture]:
    """Return a picture for each metric.

    With one job it has all ranks, if these differ; with several, the first rank of each.

    Args:
        points: the table.
        names: the metrics.
        labels: job -> what it is called; jobs without are called by their names.
        most: how many curves a picture has at most.
    """
    begun: dict[str, float] = {}
    of_name: dict[str, list[MetricPoint]] = {}
    for point in points:
        if point.time is not None:
            begun[point.job] = min(begun.get(point.job, point.time), point.time)
        of_name.setdefault(point.name, []).append(point)
    found = []
    for name in names:
        x_name = _x_name(of_name[name])
        curves = _distinct(_curves(of_name[name], begun, x_name))
        _label(curves, labels)
        left_out = max(0, len(curves) - most)
        found.append(Picture(name, x_name, curves[:most], left_out))
    return found


def _x_name(points: Iterable[MetricPoint]) -> str:
    if all(point.step is not None for point in points):
        return "step"
    return _SECONDS if all(point.time is not None for point in points) else "report"


def _curves(points: Iterable[MetricPoint], begun: Mapping[str, float], x_name: str) -> list[Curve]:
    found: dict[tuple[str, int | None], Curve] = {}
    for point in points:
        curve = found.setdefault((point.job, point.rank), Curve(point.job, point.rank))
        if x_name == "step" and point.step is not None:
            curve.xs.append(point.step)
        elif x_name == _SECONDS and point.time is not None:
            curve.xs.append(point.time - begun[point.job])
        else:
            curve.xs.append(len(curve.xs) + 1)
        curve.ys.append(point.value)
    jobs = list(dict.fromkeys(curve.job for curve in found.values()))
    return sorted(
        found.values(),
        key=lambda curve: (jobs.index(curve.job), -1 if curve.rank is None else curve.rank),
    )


def _distinct(curves: Sequence[Curve]) -> list[Curve]:
    """Return the curves to show: each rank of a single job that is not like the first one."""
    first: dict[str, Curve] = {}
    for curve in curves:
        first.setdefault(curve.job, curve)
    if len(first) > 1:
        return list(first.values())
    return [
        curve
        for curve in curves
        if curve is first[curve.job]
        or (curve.xs, curve.ys) != (first[curve.job].xs, first[curve.job].ys)
    ]


def _label(curves: Sequence[Curve], labels: Mapping[str, str]) -> None:
    if len({curve.job for curve in curves}) > 1:
        for curve in curves:
            curve.label = labels.get(curve.job, curve.job)
    elif len(curves) > 1:
        for curve in curves:
            curve.label = "no rank" if curve.rank is None else f"rank {curve.rank}"
