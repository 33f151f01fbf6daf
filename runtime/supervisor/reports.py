"""Passes on what the script of a sweep's member reports, from its file to the journal."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bai.runtime.jobs.journal import Journal
from bai.runtime.jobs.reports import REPORT, parse_report
from bai.runtime.node.new_lines import NewLines


class Reports:
    """The reports of one run: whole lines that come to a file after it has begun."""

    def __init__(self, path: Path, journal: Journal, wake: Callable[[], None] | None) -> None:
        """Begin behind what earlier runs reported.

        Args:
            path: the file that scripts append to, which need not be there yet.
            journal: where reports go.
            wake: called when there are new ones; None if nobody waits for them.
        """
        self._journal = journal
        self._wake = wake
        offset = 0
        with suppress(OSError):
            offset = path.stat().st_size
        self._lines = NewLines(path, offset)

    def step(self) -> None:
        """Pass on a piece of what is new."""
        # What can't be read costs the job nothing but the comparison with others.
        with suppress(OSError):
            self._pass_on(self._lines.read())

    def finish(self) -> None:
        """Pass on all that is new, once nothing reports any more."""
        with suppress(OSError):
            while data := self._lines.read():
                self._pass_on(data)

    def _pass_on(self, data: bytes) -> None:
        found = [report for line in data.splitlines() if (report := parse_report(line))]
        for report in found:
            self._journal.event(REPORT, "", report.to_json())
        if found and self._wake:
            self._wake()
