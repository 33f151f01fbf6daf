"""What scripts of a sweep's members report step by step, as records of their journals."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bai.runtime.jobs.metric_lines import parse_metrics

REPORT: Final = "report"
"""The kind of these records."""
_MOST_STEPS: Final = 1 << 62
"""Steps are integers of the database."""


@dataclass(frozen=True, slots=True)
class Report:
    """Metrics of one rank at one step."""

    time: float
    """Seconds since 1970, by the clock of the script."""
    step: int
    values: Mapping[str, float]
    rank: int | None = None
    """None where the process has none."""

    @property
    def counts(self) -> bool:
        """Whether members are compared by it: rank 0 speaks for its job."""
        return not self.rank

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data, as `bai.metrics` writes it."""
        rank = {} if self.rank is None else {"rank": self.rank}
        return {"time": self.time, **rank, "step": self.step, "values": dict(self.values)}


def report_of(data: Any) -> Report | None:
    """Return the report in JSON data; None if it is none, or has no step."""
    match data:
        case {"time": int() | float() as time, "step": int(step), "values": dict(values)}:
            rank = data.get("rank")
            fits = 0 <= step < _MOST_STEPS and (rank is None or isinstance(rank, int))
            if values and fits and all(isinstance(each, int | float) for each in values.values()):
                return Report(time, step, values, rank)
    return None


def parse_report(line: bytes) -> Report | None:
    """Return the report in a line of the file that scripts write; None if it is none."""
    found = parse_metrics(line)
    if found is None or not found.values or found.step is None or found.step >= _MOST_STEPS:
        return None
    now = time.time() if found.time is None else found.time
    return Report(now, found.step, found.values, found.rank)
