"""Moves the output of processes into log files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from bai.runtime.engines.log_order import LogOrder

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
