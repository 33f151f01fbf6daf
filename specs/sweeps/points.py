"""The points of a sweep: for each member, what it has for everything that is varied."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from bai.specs.findings import Path
from bai.specs.models.sweep import Dimension, Sweep
from bai.specs.source.plain_scalar import Plain

_DIGITS: Final = 6
"""Significant digits of a number out of a range: it stands in names and tables."""
_TRIES: Final = 100
"""How often a random point is drawn for each that is wanted: equal ones are drawn again."""
DIGEST_LENGTH: Final = 8
"""Characters of a hash in the name of a member."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of something that is varied."""

    scalar: Any
    """As a document has it: `Plain` if it is unquoted, or of a range."""
    key: Path
    """Where the key stands below `sweep` that says what is varied."""
    source: Path
    """Where the value stands below `sweep`."""


@dataclass(frozen=True)
class Point:
    """What one member has for everything that is varied."""

    values: Mapping[str, Value]

    @cached_property
    def text(self) -> str:
        """The point as JSON: equal points have equal texts, whatever the order of their keys."""
        plain = {key: _json_value(value.scalar) for key, value in self.values.items()}
        return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def member_name(job: str, point: str) -> str:
    """Return the name of a member: that of the one job, and a hash of the point's text."""
    return f"{job}-{sha256(point.encode()).hexdigest()[:DIGEST_LENGTH]}"


def count_points(sweep: Sweep) -> int:
    """Return how many members a sweep has, without making them."""
    match sweep.space:
        case "random":
            assert sweep.samples is not None
            return sweep.samples
        case "list":
            return len(sweep.list_ or ())
        case "grid":
            return math.prod(lengths(sweep).values())
        case _:
            return max(lengths(sweep).values(), default=0)


def points(sweep: Sweep, data: Mapping[str, Any]) -> Iterator[Point]:
    """Iterate over the points of a sweep.

    Args:
        sweep: a valid sweep.
        data: the same in the document, where its values have their form.
    """
    match sweep.space:
        case "list":
            for index, each in enumerate(data["list"]):
                places = {key: ("list", index, key) for key in each}
                yield Point({key: Value(each[key], at, at) for key, at in places.items()})
        case "random":
            yield from _random(sweep, data["random"])
        case space:
            columns = [
                [(key, value) for value in _values(dimension, data[space][key], (space, key))]
                for key, dimension in sweep.given()[space].items()
            ]
            rows = itertools.product(*columns) if space == "grid" else zip(*columns, strict=False)
            yield from (Point(dict(row)) for row in rows)


def lengths(sweep: Sweep) -> Mapping[str, int]:
    """Return key -> number of its values, for a grid or a zip."""
    space: Mapping[str, Dimension] = sweep.given()[sweep.space]
    return {key: _length(dimension) for key, dimension in space.items()}


def _length(dimension: Dimension) -> int:
    if dimension.choices is not None:
        return len(dimension.choices)
    if dimension.count is not None:
        return dimension.count
    first, last = _ends(dimension)
    step = _step(dimension)
    # A step that does not divide the range exactly for want of digits ends it as if it did.
    return math.floor((last - first) / step + 1e-9) + 1 if step else 0


def _ends(dimension: Dimension) -> tuple[float, float]:
    assert dimension.from_ is not None
    assert dimension.to is not None
    return dimension.from_, dimension.to


def _step(dimension: Dimension) -> float | None:
    """Return the distance between the numbers of a range; None if nothing says it."""
    if dimension.step is not None:
        return dimension.step
    return 1 if dimension.is_whole and dimension.spread != "log" else None


def _values(dimension: Dimension, data: Any, source: Path) -> list[Value]:
    """Return the values of a dimension, which is written as `data` at `source` below the sweep."""
    if dimension.choices is not None:
        written, at = (
            (data, source) if isinstance(data, list) else (data["choices"], (*source, "choices"))
        )
        return [Value(each, source, (*at, index)) for index, each in enumerate(written)]
    return [Value(number, source, source) for number in _range(dimension)]


def _range(dimension: Dimension) -> Iterator[Plain]:
    """Iterate over the numbers of a range in a grid."""
    first, _ = _ends(dimension)
    length = _length(dimension)
    for index in range(length):
        if dimension.count is None:
            number = first + index * (_step(dimension) or 0)
        else:
            number = _spread(dimension, index / (length - 1) if length > 1 else 0.0)
        yield _written(number, whole=dimension.is_whole)


def _random(sweep: Sweep, data: Mapping[str, Any]) -> Iterator[Point]:
    """Iterate over different random points: with more samples, the first ones stay the same."""
    assert sweep.random is not None
    assert sweep.samples is not None
    # In the order of their names, so that the order in the file plays no role.
    space = sorted(sweep.random.items())
    listed = {
        key: _values(dimension, data[key], ("random", key))
        for key, dimension in space
        if dimension.choices is not None
    }
    generator = random.Random(sweep.seed or 0)  # noqa: S311 - nothing is secret here
    seen: set[str] = set()
    # A small space may not have as many different points.
    for _ in range(sweep.samples * _TRIES):
        values = {}
        for key, dimension in space:
            # Only this method draws the same in every version of Python.
            share = generator.random()
            if known := listed.get(key):
                values[key] = known[int(share * len(known))]
            else:
                source = ("random", key)
                values[key] = Value(_drawn(dimension, share), source, source)
        point = Point({key: values[key] for key in sweep.random})
        if point.text not in seen:
            seen.add(point.text)
            yield point
        if len(seen) == sweep.samples:
            return


def _drawn(dimension: Dimension, share: float) -> Plain:
    """Return the number at a share of a range, from 0 to below 1."""
    if not dimension.is_whole:
        return _written(_spread(dimension, share), whole=False)
    first, last = _ends(dimension)
    if dimension.spread == "log":
        # So that the last number is as likely as its logarithm says.
        drawn = int(first * ((last + 1) / first) ** share)
    else:
        drawn = int(first) + int(dimension.step or 1) * int(share * _length(dimension))
    return _written(min(max(drawn, first), last), whole=True)


def _spread(dimension: Dimension, share: float) -> float:
    """Return the number at a share of a range, from 0 to 1."""
    first, last = _ends(dimension)
    if share == 1.0:
        return last
    if dimension.spread == "log":
        return float(first * (last / first) ** share)
    return first + share * (last - first)


def _written(number: float, *, whole: bool) -> Plain:
    return Plain(str(round(number)) if whole else f"{number:.{_DIGITS}g}")


def _json_value(scalar: Any) -> Any:
    """Return a scalar as JSON has it: equal numbers are equal, however they are written."""
    value = scalar.value if isinstance(scalar, Plain) else scalar
    return str(scalar) if isinstance(value, float) and not math.isfinite(value) else value
