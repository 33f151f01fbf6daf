"""A reader of the metrics that the script of an attempt reports, while it runs or after."""

from __future__ import annotations

from collections.abc import Iterator

from bai.runtime.jobs.files import METRICS, RECORDS, Files
from bai.runtime.jobs.metric_lines import Metrics, parse_metrics
from bai.tail import Tail

__all__ = ["Metrics", "MetricsReader"]


class MetricsReader:
    """The metrics of an attempt, read as they come."""

    def __init__(self, files: Files, name: str = METRICS) -> None:
        """Read from the beginning.

        Args:
            files: the files of the attempt.
            name: the record to read: `METRICS`, or `USAGE` for what bai has measured.
        """
        self._tail = Tail(files, RECORDS, name)

    def read(self) -> Iterator[Metrics]:
        """Iterate over what is new; what is no report is passed over."""
        for line in self._tail.lines(final=False):
            if found := parse_metrics(line):
                yield found
