"""The files of an attempt that hold metrics."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path


class MetricFiles:
    """Takes what nodes send of metrics. On a full disk it is lost, and the job goes on."""

    def __init__(self, reports: Path, usage: Path) -> None:
        """Append to files, which need not be there yet.

        Args:
            reports: what scripts report; those whose node is this machine write to it themselves.
            usage: what ranks use of their machines.
        """
        self._reports = reports
        self._usage = usage

    def add_reports(self, lines: bytes) -> None:
        """Add whole lines that scripts have reported on a node that is far."""
        _append(self._reports, lines)

    def add_usage(self, rank: int, time: float, values: Mapping[str, float]) -> None:
        """Add what a rank uses at a time, in seconds since 1970 by the clock of its node."""
        record = {"time": round(time, 3), "rank": rank, "values": values}
        _append(self._usage, json.dumps(record).encode() + b"\n")


def _append(path: Path, lines: bytes) -> None:
    with contextlib.suppress(OSError):
        # At once: lines of several writers do not mix.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            os.write(handle, lines)
        finally:
            os.close(handle)
