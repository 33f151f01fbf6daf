"""The order in which the logs of an attempt were written.

Each log is a file of its own, as Batch AI has it, and nothing in it tells what another one got
meanwhile. So a small file beside them records the order: a line for each run of bytes that went to
one log, with the offset in the log where the run ends, and the log's name. The last run is recorded
when another log has its turn, or at the end; what is not recorded is what was written last.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_DIGITS: Final = 18
"""More has no file."""


class LogOrder:
    """The record, as it is written. It costs little: a line whenever another log has its turn."""

    def __init__(self, path: Path) -> None:
        """Record in a file, which is made when there is something to record."""
        self._path = path
        self._handle: int | None = None
        self._name = ""
        self._until = 0
        self._broken = False

    def add(self, name: str, until: int) -> None:
        """Record that a log is written next, up to an offset."""
        if name != self._name:
            self._record()
            self._name = name
        self._until = until

    def close(self) -> None:
        """Record what is left, and close the file."""
        self._record()
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _record(self) -> None:
        if not self._until or self._broken:
            return
        line = f"{self._until} {self._name}\n".encode()
        self._until = 0
        try:
            if self._handle is None:
                flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
                self._handle = os.open(self._path, flags, 0o666)
            self._broken = os.write(self._handle, line) < len(line)
        except OSError:
            # A full disk, for one. The order is a help, and not worth a job.
            self._broken = True


def read_run(line: bytes) -> tuple[str, int] | None:
    """Return the log and the offset of a line of the record; None if it is none."""
    until, _, name = line.decode("utf-8", "replace").partition(" ")
    is_number = until.isdecimal() and len(until) <= _DIGITS
    return (name, int(until)) if name and is_number else None
