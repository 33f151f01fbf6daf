"""Moves the output of a gang's processes into logs, in one event loop."""

from __future__ import annotations

import os
import selectors
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from bai.runtime.engines.log_order import LogOrder
from bai.runtime.engines.pump import LogFile, Pump


class Streams:
    """Pumps output into logs, and calls back when other descriptors can be read."""

    def __init__(self, order: Path) -> None:
        """Begin with nothing to wait for.

        Args:
            order: the file that records in which order the logs were written.
        """
        self._order = LogOrder(order)
        self._selector = selectors.DefaultSelector()
        self._logs: dict[Path, LogFile] = {}
        self._pumps: list[Pump] = []
        self.broken: OSError | None = None
        """Why a log could not be written; all pipes are closed then, so that no process blocks."""

    def log(self, path: Path) -> LogFile:
        """Return the log at `path`, which is made if need be.

        Raises:
            OSError: it can't be made.
        """
        if path not in self._logs:
            self._logs[path] = LogFile(path, self._order)
        return self._logs[path]

    def pump(
        self,
        source: int,
        log: Path,
        label: bytes = b"",
        observe: Callable[[bytes], None] | None = None,
    ) -> Pump:
        """Pump from a descriptor, which is owned from now on, into a log."""
        pump = Pump(source, self.log(log), label, observe)
        self._pumps.append(pump)
        self.watch(source, partial(self._move, pump, pump.pump))
        return pump

    def watch(self, descriptor: int, call: Callable[[], None]) -> None:
        """Call back, from `step`, whenever a descriptor can be read."""
        self._selector.register(descriptor, selectors.EVENT_READ, call)

    def forget(self, descriptor: int) -> None:
        """Watch a descriptor no longer, and close it."""
        self._selector.unregister(descriptor)
        os.close(descriptor)

    def step(self, seconds: float) -> None:
        """Wait at most `seconds` for something to read, and handle what came."""
        for key, _ in self._selector.select(seconds):
            key.data()

    def drain(self, pumps: Iterable[Pump] | None = None) -> None:
        """Move all that is in the pipes now; by default of all pumps."""
        for pump in list(self._pumps if pumps is None else pumps):
            self._move(pump, pump.drain)

    def close(self) -> None:
        """Close everything, watched descriptors too."""
        for pump in self._pumps:
            self._close(pump)
        for key in list(self._selector.get_map().values()):
            self.forget(key.fd)
        self._selector.close()
        for log in self._logs.values():
            log.close()
        self._order.close()

    def _move(self, pump: Pump, move: Callable[[], object]) -> None:
        if pump.closed:
            return
        try:
            move()
        except OSError as error:
            self.broken = self.broken or error
            for each in self._pumps:
                self._close(each)
        else:
            if pump.ended:
                self._close(pump)

    def _close(self, pump: Pump) -> None:
        if not pump.closed:
            pump.closed = True
            self.forget(pump.source)
