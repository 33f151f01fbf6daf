"""Passes on what the script of a sweep's member reports, from its file to the journal."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from bai.runtime.jobs.journal import Journal
from bai.runtime.jobs.reports import REPORT, parse_report

_PIECE: Final = 1 << 18
"""Bytes that are read at once, so that no flood of reports keeps a supervisor from its work."""


class Reports:
    """The reports of one run: whole lines that come to a file after it has begun."""

    def __init__(self, path: Path, journal: Journal, wake: Callable[[], None] | None) -> None:
        """Begin behind what earlier runs reported.

        Args:
            path: the file that scripts append to, which need not be there yet.
            journal: where reports go.
            wake: called when there are new ones; None if nobody waits for them.
        """
        self._path = path
        self._journal = journal
        self._wake = wake
        self._offset = 0
        with suppress(OSError):
            self._offset = path.stat().st_size

    def step(self) -> None:
        """Pass on a piece of what is new."""
        # What can't be read costs the job nothing but the comparison with others.
        with suppress(OSError):
            self._pass_on(self._read())

    def finish(self) -> None:
        """Pass on all that is new, once nothing reports any more."""
        with suppress(OSError):
            while data := self._read():
                self._pass_on(data)

    def _read(self) -> bytes:
        """Return the next whole lines; of a line that is too long, a piece.

        Raises:
            OSError: the file can't be read.
        """
        try:
            if self._path.stat().st_size <= self._offset:
                return b""
        except FileNotFoundError:
            return b""
        with self._path.open("rb") as file:
            file.seek(self._offset)
            data = file.read(_PIECE)
        if len(data) < _PIECE or b"\n" in data:
            data = data[: data.rfind(b"\n") + 1]
        self._offset += len(data)
        return data

    def _pass_on(self, data: bytes) -> None:
        found = [report for line in data.splitlines() if (report := parse_report(line))]
        for report in found:
            self._journal.event(REPORT, "", report.to_json())
        if found and self._wake:
            self._wake()
