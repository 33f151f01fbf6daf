"""The link between a supervisor and an agent: frames over two pipes, in both directions.

Each side begins with a line that names its version. What comes before that line, as a login shell
may print, is kept for messages. Then come frames: kind, number, length, and as many bytes.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable
from enum import IntEnum
from typing import Final

from bai.runtime.node.streams import WRITE, Streams

VERSION: Final = 2
"""Grows with every change that the other side would misunderstand."""

BEATS: Final = 4
"""How many signs of life a silent side gives before its lease is over."""

_GREETING: Final = b"bai link "
_HEADER: Final = struct.Struct(">BII")
_PIECE: Final = 1 << 18
_LONGEST: Final = 1 << 26
_MOST_NOISE: Final = 4096


class Kind(IntEnum):
    """What a frame holds."""

    REQUEST = 1
    """JSON: what the agent shall do; the number is the request's."""
    ANSWER = 2
    """JSON: the answer to the request with this number."""
    STDOUT = 3
    """Output of the process with this number."""
    STDERR = 4
    """Error output."""
    EVENT = 5
    """JSON: what happened to the process with this number."""
    BEAT = 6
    """A sign of life."""
    REPORTS = 7
    """Whole lines of metrics that scripts have reported."""


class Link:
    """One side of a link."""

    def __init__(
        self,
        streams: Streams,
        reading: int,
        writing: int,
        receive: Callable[[Kind, int, bytes], None],
    ) -> None:
        """Greet the other side, and listen.

        Args:
            streams: the event loop.
            reading: a descriptor, owned from now on.
            writing: a descriptor, owned from now on.
            receive: takes every frame but signs of life.
        """
        self.closed: str | None = None
        """Why the link is down; None while it is up."""
        self._streams = streams
        self._reading, self._writing = reading, writing
        self._receive = receive
        self._incoming = bytearray()
        self._greeted = False
        self._outgoing = bytearray()
        self._waits = False
        self._heard = self._said = self._looked = time.monotonic()
        for descriptor in (reading, writing):
            os.set_blocking(descriptor, False)
        streams.watch(reading, self._read)
        self._write(_GREETING + str(VERSION).encode() + b"\n")

    @property
    def backlog(self) -> int:
        """Number of bytes that wait for the other side."""
        return len(self._outgoing)

    @property
    def noise(self) -> str:
        """What came before the greeting."""
        return "" if self._greeted else self._incoming.decode("utf-8", "replace").strip()

    def send(self, kind: Kind, number: int = 0, data: bytes = b"") -> None:
        """Send a frame; nothing happens if the link is down."""
        if not self.closed:
            self._write(_HEADER.pack(kind, number, len(data)) + data)

    def keep(self, lease: float, patience: float = 0.0) -> None:
        """Give a sign of life if it is time, and close the link if none came for too long.

        Args:
            lease: seconds of silence that mean that the other side is gone.
            patience: seconds that it may need for what it does now.
        """
        now = time.monotonic()
        if now - self._looked > lease / 2:
            # It was us who slept: what came meanwhile is still to be read.
            self._heard = now
        self._looked = now
        if now - self._said > lease / BEATS:
            self.send(Kind.BEAT)
        if now - self._heard > max(lease, patience):
            self.close(f"it gave no sign of life for {now - self._heard:.0f} s")

    def close(self, reason: str = "it was closed") -> None:
        """Close the link, for a reason that messages give."""
        if self.closed is None:
            self.closed = reason
            self._streams.forget(self._reading)
            if self._waits:
                self._streams.forget(self._writing)
            else:
                os.close(self._writing)

    def _write(self, data: bytes) -> None:
        self._said = time.monotonic()
        self._outgoing += data
        if not self._waits:
            self._flush()

    def _flush(self) -> None:
        try:
            while self._outgoing:
                del self._outgoing[: os.write(self._writing, self._outgoing[:_PIECE])]
        except BlockingIOError:
            pass
        except OSError:
            # What the other side said last is still to be read; then the link is closed.
            self._outgoing.clear()
        if bool(self._outgoing) != self._waits:
            self._waits = not self._waits
            if self._waits:
                self._streams.watch(self._writing, self._flush, WRITE)
            else:
                self._streams.ignore(self._writing)

    def _read(self) -> None:
        try:
            data = os.read(self._reading, _PIECE)
        except BlockingIOError:
            return
        except OSError as error:
            self.close(f"the link is down: {error.strerror}")
            return
        if not data:
            self.close("the link was closed at the other end")
            return
        self._heard = time.monotonic()
        self._incoming += data
        if self._greeted or self._greet():
            self._take()

    def _greet(self) -> bool:
        """Look for the greeting; return whether frames follow."""
        start = self._incoming.find(_GREETING)
        end = self._incoming.find(b"\n", start) if start >= 0 else -1
        if end < 0:
            if start < 0:
                del self._incoming[:-_MOST_NOISE]
            return False
        version = bytes(self._incoming[start + len(_GREETING) : end]).decode("ascii", "replace")
        if version != str(VERSION):
            self.close(
                f"its bai speaks version {version} of the link, and this one {VERSION}: "
                "install the same bai on all nodes"
            )
            return False
        del self._incoming[: end + 1]
        self._greeted = True
        return True

    def _take(self) -> None:
        """Hand on all whole frames."""
        data, at = self._incoming, 0
        # Before anything is handed on: that may lead back here.
        frames = []
        while len(data) - at >= _HEADER.size:
            kind, number, length = _HEADER.unpack_from(data, at)
            if length > _LONGEST or not Kind.REQUEST <= kind <= Kind.REPORTS:
                self.close("what came over the link is damaged")
                return
            start = at + _HEADER.size
            if len(data) - start < length:
                break
            at = start + length
            frames.append((Kind(kind), number, bytes(data[start:at])))
        del data[:at]
        for kind, number, payload in frames:
            if kind is not Kind.BEAT:
                self._receive(kind, number, payload)
