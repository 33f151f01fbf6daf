"""Moves the output of a gang's processes into logs, in one event loop."""

from __future__ import annotations

import os
import selectors
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from bai.runtime.jobs.log_order import LogOrder

MAX_LINE = 64 * 1024
"""Bytes after which a labelled line is cut in two, so that no output can fill the memory."""

_READ = 1 << 16


class LogFile:
    """A log that several pumps append to."""

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

    def write(self, data: bytes) -> None:
        """Append all of `data`.

        Raises:
            OSError: the disk is full or gone.
        """
        if self._order:
            self._order.add(self.path.name, len(data))
        try:
            while data:
                data = data[os.write(self._handle, data) :]
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)


class Pump:
    """One pipe of a process, and the log that its output goes to.

    Without a label, bytes pass as they are. With one, only whole lines pass, each after the label,
    so that the lines of several pumps do not mix. A text that ends with a carriage return, as the
    states of progress bars do, becomes a line while it is new; it ends with both characters then.
    """

    def __init__(
        self,
        source: int,
        log: LogFile,
        label: bytes = b"",
        observe: Callable[[bytes], None] | None = None,
    ) -> None:
        """Pump from the file descriptor `source`, which is made non-blocking.

        Args:
            source: the pipe's reading end.
            log: where the output goes.
            label: what to put before every line: `[0]<stdout>: `, as Horovod's launcher does.
            observe: called with every piece of output, cut anywhere.
        """
        os.set_blocking(source, False)
        self.source = source
        self.ended = False
        """Whether the other end is closed and all is written."""
        self.closed = False
        """Whether its owner has closed the source."""
        self._log = log
        self._label = label
        self._observe = observe
        self._rest = b""

    def pump(self) -> bool:
        """Move one piece of what is there; False if there is nothing, or no more.

        Raises:
            OSError: the log can't be written.
        """
        try:
            data = os.read(self.source, _READ)
        except BlockingIOError:
            return False
        if not data:
            self.ended = True
            if self._rest:
                self._log.write(self._label + self._rest.rstrip(b"\r") + b"\n")
                self._rest = b""
            return False
        if self._observe:
            self._observe(data)
        self._log.write(self._labelled(data) if self._label else data)
        return True

    def drain(self) -> None:
        """Move all that is there now.

        Raises:
            OSError: the log can't be written.
        """
        while self.pump():
            pass

    def _labelled(self, data: bytes) -> bytes:
        text = self._rest + data
        # The other half of a \r\n may be still to come.
        held = b"\r" if text.endswith(b"\r") else b""
        text = text.removesuffix(b"\r").replace(b"\r\n", b"\n").replace(b"\r", b"\r\n")
        *lines, rest = text.split(b"\n")
        if len(rest) > MAX_LINE:
            lines.append(rest)
            rest = b""
        self._rest = rest + held
        return b"".join(self._label + line + b"\n" for line in lines)


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
