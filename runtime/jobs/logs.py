"""The logs of an attempt, as its supervisor writes them."""

from __future__ import annotations

import os
from pathlib import Path

from bai.runtime.jobs.log_order import LogOrder


class LogFile:
    """A log that several processes' output is appended to."""

    def __init__(self, path: Path, order: LogOrder | None = None) -> None:
        """Open the file, and make it if need be.

        Args:
            path: the log.
            order: where to record what is written when, among all logs.

        Raises:
            OSError: it can't be made.
        """
        self.path = path
        self._order = order
        self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        # A run before this one may have written to it.
        self._end = os.fstat(self._handle).st_size

    def write(self, data: bytes) -> None:
        """Append all of `data`.

        Raises:
            OSError: the disk is full or gone.
        """
        self._end += len(data)
        if self._order:
            self._order.add(self.path.name, self._end)
        try:
            while data:
                data = data[os.write(self._handle, data) :]
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)


class Logs:
    """All logs of an attempt, with the order in which they are written."""

    def __init__(self, order: Path) -> None:
        """Begin with none.

        Args:
            order: the file that records in which order the logs were written.
        """
        self._order = LogOrder(order)
        self._logs: dict[Path, LogFile] = {}

    def log(self, path: Path) -> LogFile:
        """Return the log at `path`, which is made if need be.

        Raises:
            OSError: it can't be made.
        """
        if path not in self._logs:
            self._logs[path] = LogFile(path, self._order)
        return self._logs[path]

    def close(self) -> None:
        """Close all."""
        for log in self._logs.values():
            log.close()
        self._logs.clear()
        self._order.close()
