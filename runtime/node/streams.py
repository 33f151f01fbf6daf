"""Moves the output of processes, and calls back when other descriptors are ready: an event loop."""

from __future__ import annotations

import os
import selectors
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

MAX_LINE = 64 * 1024
"""Bytes after which a labelled line is cut in two, so that no output can fill the memory."""

READ: Final = selectors.EVENT_READ
WRITE: Final = selectors.EVENT_WRITE

_PIECE = 1 << 16


class Pump:
    """One pipe of a process, and where its output goes.

    Without a label, bytes pass as they are. With one, only whole lines pass, each after the label,
    so that the lines of several pumps do not mix. A text that ends with a carriage return, as the
    states of progress bars do, becomes a line while it is new; it ends with both characters then.
    """

    def __init__(
        self,
        source: int,
        deliver: Callable[[bytes], None],
        label: bytes = b"",
        observe: Callable[[bytes], None] | None = None,
    ) -> None:
        """Pump from the file descriptor `source`, which is made non-blocking.

        Args:
            source: the pipe's reading end.
            deliver: takes the output; an OSError that it raises goes to the caller.
            label: what to put before every line: `[0]<stdout>: `, as Horovod's launcher does.
            observe: called with every piece of output, cut anywhere.
        """
        os.set_blocking(source, False)
        self.source = source
        self.ended = False
        """Whether the other end is closed and all is written."""
        self.closed = False
        """Whether its owner has closed the source."""
        self._deliver = deliver
        self._label = label
        self._observe = observe
        self._rest = b""

    def pump(self) -> bool:
        """Move one piece of what is there; False if there is nothing, or no more.

        Raises:
            OSError: the output can't be delivered.
        """
        try:
            data = os.read(self.source, _PIECE)
        except BlockingIOError:
            return False
        if not data:
            self.ended = True
            if self._rest:
                self._deliver(self._label + self._rest.rstrip(b"\r") + b"\n")
                self._rest = b""
            return False
        if self._observe:
            self._observe(data)
        if text := self._labelled(data) if self._label else data:
            self._deliver(text)
        return True

    def drain(self) -> None:
        """Move all that is there now.

        Raises:
            OSError: the output can't be delivered.
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
    """Pumps output, and calls back when other descriptors are ready."""

    def __init__(self) -> None:
        """Begin with nothing to wait for."""
        self._selector = selectors.DefaultSelector()
        self._pumps: list[Pump] = []
        self._calls: list[Callable[[], None]] = []
        self._held = False
        self._closed = False
        self.broken: OSError | None = None
        """Why output could not be delivered; all pipes are closed then, and no process blocks."""

    def pump(
        self,
        source: int,
        deliver: Callable[[bytes], None],
        label: bytes = b"",
        observe: Callable[[bytes], None] | None = None,
    ) -> Pump:
        """Pump from a descriptor, which is owned from now on."""
        pump = Pump(source, deliver, label, observe)
        self._pumps.append(pump)
        if not self._held:
            self._watch(pump)
        return pump

    def watch(self, descriptor: int, call: Callable[[], None], events: int = READ) -> None:
        """Call back, from `step`, whenever a descriptor is ready."""
        self._selector.register(descriptor, events, call)

    def ignore(self, descriptor: int) -> None:
        """Watch a descriptor no longer."""
        if not self._closed:
            self._selector.unregister(descriptor)

    def forget(self, descriptor: int) -> None:
        """Watch a descriptor no longer, and close it."""
        if not self._closed:
            self._selector.unregister(descriptor)
            os.close(descriptor)

    def each_step(self, call: Callable[[], None]) -> None:
        """Call back after every step."""
        self._calls.append(call)

    def hold(self, *, held: bool) -> None:
        """Leave output in its pipes, where processes wait with more; or go on."""
        if held == self._held:
            return
        self._held = held
        for pump in self._pumps:
            if held:
                self._selector.unregister(pump.source)
            else:
                self._watch(pump)

    def step(self, seconds: float) -> None:
        """Wait at most `seconds` for something to read, and handle what came."""
        for key, _ in self._selector.select(seconds):
            # What came first may have closed what comes next.
            if self._selector.get_map().get(key.fd) is key:
                key.data()
        for call in self._calls:
            call()

    def drain(self, pumps: Iterable[Pump] | None = None) -> None:
        """Move all that is in the pipes now; by default of all pumps."""
        for pump in list(self._pumps if pumps is None else pumps):
            self._move(pump, pump.drain)

    def stop(self, pumps: Iterable[Pump]) -> None:
        """Move no more output of some pumps, and close their pipes."""
        for pump in pumps:
            self._close(pump)

    def close(self) -> None:
        """Close everything, watched descriptors too."""
        self.stop(list(self._pumps))
        for key in list(self._selector.get_map().values()):
            self.forget(key.fd)
        self._selector.close()
        self._closed = True

    def _watch(self, pump: Pump) -> None:
        self.watch(pump.source, partial(self._move, pump, pump.pump))

    def _move(self, pump: Pump, move: Callable[[], object]) -> None:
        if pump.closed:
            return
        try:
            move()
        except OSError as error:
            self.broken = self.broken or error
            self.stop(list(self._pumps))
        else:
            if pump.ended:
                self._close(pump)

    def _close(self, pump: Pump) -> None:
        if pump.closed:
            return
        pump.closed = True
        self._pumps.remove(pump)
        if self._held:
            os.close(pump.source)
        else:
            self.forget(pump.source)
