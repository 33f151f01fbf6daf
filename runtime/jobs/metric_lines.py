"""What scripts report of themselves: lines of JSON, by `bai.metrics.report` or by other means.

A line is an object. Its numbers are in `values`, or beside the other keys; `step`, `total`, `rank`
and `time` may be missing. Whatever else is in the file is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_KEYS: Final = ("time", "step", "total", "rank", "values")
"""What is no value where values stand beside the other keys."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a script reported at one moment."""

    time: float | None
    """Seconds since 1970, by the clock of the script; None if it did not say."""
    values: dict[str, float] = field(default_factory=dict)
    step: int | None = None
    total: int | None = None
    rank: int | None = None


def parse_metrics(line: bytes) -> Metrics | None:
    """Return what a line says; None if it is no report."""
    try:
        data = json.loads(line)
        return _metrics(data) if isinstance(data, dict) else None
    except (ValueError, OverflowError, RecursionError):
        return None


def _metrics(data: Mapping[str, Any]) -> Metrics | None:
    """Return what an object says; None if it says nothing.

    Raises:
        ValueError, OverflowError: one of the known keys has a value that can't be its.
    """
    given = data.get("values")
    if isinstance(given, dict):
        found = given
    else:
        found = {name: value for name, value in data.items() if name not in _KEYS}
    values = {name: float(value) for name, value in found.items() if _is_number(value)}
    step, total, rank = (_whole(data.get(name)) for name in ("step", "total", "rank"))
    if not values and step is None:
        return None
    time = data.get("time")
    if time is not None and not _is_number(time):
        raise ValueError("time")
    return Metrics(None if time is None else float(time), values, step, total, rank)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _whole(value: object) -> int | None:
    """Return a number without a fraction; None for none.

    Raises:
        ValueError: it is something else.
    """
    if value is None:
        return None
    if isinstance(value, int | float) and value == int(value) >= 0:
        return int(value)
    raise ValueError(value)
