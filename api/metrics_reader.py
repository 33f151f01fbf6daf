"""What the scripts of a job have reported with `bai.metrics`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

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
    """The metrics file of an attempt, read as it grows."""

    def __init__(self, path: Path) -> None:
        """Read from the beginning; the file need not exist yet."""
        self._tail = Tail(path)

    def read(self) -> Iterator[Metrics]:
        """Iterate over what is new."""
        for line in self._tail.lines(final=False):
            try:
                yield _METRICS.validate_json(line)
            except ValidationError:
                # Something else wrote to the file.
                continue
