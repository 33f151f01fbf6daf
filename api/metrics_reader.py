"""A reader of the metrics that the script of an attempt reports, while it runs or after.

Few commands ask for metrics, and their validation takes long to import.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import TypeAdapter, ValidationError

from bai.runtime.jobs.files import METRICS, RECORDS, Files
from bai.tail import Tail


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a script reported at one moment."""

    time: float
    """Seconds since 1970."""
    values: dict[str, float] = field(default_factory=dict)
    step: int | None = None
    total: int | None = None
    rank: int | None = None


_METRICS = TypeAdapter(Metrics)


class MetricsReader:
    """The metrics of an attempt, read as they come."""

    def __init__(self, files: Files) -> None:
        """Read from the beginning."""
        self._tail = Tail(files, RECORDS, METRICS)

    def read(self) -> Iterator[Metrics]:
        """Iterate over what is new."""
        for line in self._tail.lines(final=False):
            try:
                yield _METRICS.validate_json(line)
            except ValidationError:
                # Something else wrote to the file.
                continue
