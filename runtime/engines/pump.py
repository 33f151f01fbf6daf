"""Moves the output of processes into log files, whole lines at a time."""

from __future__ import annotations

import os
import re
from pathlib import Path

MAX_LINE = 64 * 1024
"""Bytes after which a line without an end is written all the same."""

_MPI_LABEL = re.compile(rb"^\[\d+,(\d+)\]<(stdout|stderr)>:\s?")


class LogFile:
    """A log that several pumps append to."""

    def __init__(self, path: Path) -> None:
        """Open the file, and make it if need be."""
        self.path = path
        self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)

    def write(self, data: bytes) -> None:
        """Append all of `data`.

        Raises:
            OSError: the disk is full or gone.
        """
        while data:
            data = data[os.write(self._handle, data) :]

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)


class Pump:
    """One pipe of a process, and the log that its lines go to."""

    def __init__(self, source: int, log: LogFile, label: bytes = b"", *, mpi: bool = False) -> None:
        """Pump from the file descriptor `source`, putting `label` before every line.

        Args:
            source: the pipe's reading end, which is made non-blocking.
            log: where the lines go.
            label: `[0]<stdout>: ` for one, as Horovod's own launcher writes.
            mpi: whether the lines carry mpirun's labels, to be turned into the same form.
        """
        os.set_blocking(source, False)
        self.source = source
        self._log = log
        self._label = label
        self._mpi = mpi
        self._rest = b""

    def pump(self) -> bool:
        """Move what is there; False once the other end is closed and all is written.

        Raises:
            OSError: the log can't be written.
        """
        try:
            data = os.read(self.source, 1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        if not data:
            if self._rest:
                self._write(self._rest + b"\n")
                self._rest = b""
            return False
        head, end, rest = (self._rest + data).rpartition(b"\n")
        if not end and len(rest) > MAX_LINE:
            head, end, rest = rest, b"\n", b""
        self._rest = rest
        if end:
            self._write(head + end)
        return True

    def _write(self, lines: bytes) -> None:
        if self._label or self._mpi:
            lines = b"".join(map(self._labelled, lines.splitlines(keepends=True)))
        self._log.write(lines)

    def _labelled(self, line: bytes) -> bytes:
        if self._mpi:
            return _MPI_LABEL.sub(rb"[\1]<\2>: ", line)
        return self._label + line
