"""A reader of the log lines that an attempt writes, while it runs or after."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from bai.log_lines import LogLine, LogName
from bai.log_start import BEGINNING, Start, near_the_end
from bai.log_text import LogText
from bai.runtime.errors import NotFoundError
from bai.runtime.jobs.files import LOG_ORDER, LOGS, RECORDS, Files
from bai.runtime.jobs.log_order import read_run
from bai.tail import Tail

_GATHERED: Final = 1 << 18
"""Bytes of text that are gathered before they are given out."""
_LINE: Final = 200
"""Bytes of a line, as a first guess: so much is read for each of the last lines, or more."""
_LEAST: Final = 1 << 16
"""Bytes that are read at least for the last lines."""
_MORE: Final = 8
"""How much more is read if these are fewer lines."""

T = TypeVar("T")


class LogReader:
    """The logs of an attempt, read as they grow.

    Of a line that is begun anew by carriage returns, as a progress bar is, only the last state is
    read. What it shows meanwhile is `bar`.
    """

    def __init__(
        self,
        files: Files,
        rank: int | str | None = None,
        stream: str | None = None,
        last: int | None = None,
    ) -> None:
        """Read from the beginning, or from the last lines on.

        Args:
            files: the files of the attempt.
            rank: the only process to read, by its rank or its name (`wk-0`); None for all.
            stream: `stdout` or `stderr`, to read nothing else.
            last: how many of the lines that are there at the first look to read; None for all.
        """
        self._files = files
        self._rank = rank
        self._stream = stream
        self._last = last
        self._begin(BEGINNING)

    def _begin(self, start: Start) -> None:
        self._start = start
        self._tails: dict[LogName, Tail] = {}
        self._order = Tail(self._files, RECORDS, LOG_ORDER, offset=start.order)
        self._text = LogText(self._rank, self._stream)
        self.bar: LogLine | None = None
        """The newest state of a progress bar that has not ended."""

    def read(self, *, final: bool) -> Iterator[LogLine]:
        """Iterate over what is new, in the order in which it was written.

        A line comes where it ended. What the record of the order does not hold comes last:
        preparation first, stdout before stderr.

        Args:
            final: whether the attempt had ended before this call. A begun line is read only then.
        """
        if self._last is None:
            yield from self._read(final=final)
        else:
            yield from self._last_of(lambda: self._read(final=final), self._last)

    def _last_of(self, read: Callable[[], Iterator[T]], count: int) -> Iterator[T]:
        """Iterate over the last lines that are there now, and go on reading behind them."""
        self._last = None
        size = max(_LEAST, count * _LINE)
        while True:
            start = near_the_end(self._files, size)
            self._begin(start)
            lines = deque(read(), count)
            if len(lines) == count or start is BEGINNING:
                yield from lines
                return
            size *= _MORE

    def _read(self, *, final: bool) -> Iterator[LogLine]:
        for log, block in self._blocks(final=final):
            yield from self._lines(log, block)
        for log in sorted(self._tails, key=lambda log: log.order):
            if state := self._tails[log].bar():
                line = log.line(state)
                if line.is_of(self._rank, self._stream):
                    self.bar = line

    def text(self, *, final: bool) -> Iterator[bytes]:
        """Iterate over what is new as text in UTF-8, in pieces of whole lines.

        The lines are those that `read` gives, each as its `str()` and with an end; those of a
        chosen process stand without its name. There is no `bar`.

        Args:
            final: whether the attempt had ended before this call. A begun line is read only then.
        """
        if self._last is None:
            yield from self._gathered(final=final)
        else:
            lines = self._last_of(lambda: self._text_lines(final=final), self._last)
            if text := b"".join(lines):
                yield text

    def _text_lines(self, *, final: bool) -> Iterator[bytes]:
        for piece in self._gathered(final=final):
            yield from (b"%b\n" % line for line in piece.removesuffix(b"\n").split(b"\n"))

    def _gathered(self, *, final: bool) -> Iterator[bytes]:
        pieces, size = [], 0
        for log, block in self._blocks(final=final):
            piece = self._text.of_block(log, block)
            if piece is None:
                piece = b"".join(map(self._text.of_line, self._lines(log, block)))
            pieces.append(piece)
            size += len(piece)
            if size >= _GATHERED:
                yield b"".join(pieces)
                pieces, size = [], 0
        if size:
            yield b"".join(pieces)

    def _blocks(self, *, final: bool) -> Iterator[tuple[LogName, bytes]]:
        """Iterate over what is new in all logs, in its order."""
        sizes = {}
        try:
            for entry in self._files.list(LOGS):
                if not entry.is_directory and (log := LogName.parse(entry.name)):
                    sizes[log] = entry.size
                    self._tail(log, entry.name)
        except NotFoundError:
            # Not made yet.
            pass
        for log, until in self._runs():
            for block in self._tails[log].blocks(final=False, until=until):
                yield log, block
        for log in sorted(sizes, key=lambda log: log.order):
            tail = self._tails[log]
            if final or sizes[log] > tail.offset:
                for block in tail.blocks(final=final):
                    yield log, block

    def _tail(self, log: LogName, name: str) -> Tail:
        if log not in self._tails:
            offset = self._start.logs.get(name, 0)
            self._tails[log] = Tail(self._files, LOGS, name, bars=True, offset=offset)
        return self._tails[log]

    def _runs(self) -> Iterator[tuple[LogName, int]]:
        """Iterate over the record: the next log, and how far to read it."""
        for line in self._order.lines(final=False):
            run = read_run(line)
            if run and (log := LogName.parse(run[0])):
                # It may have been made since the others were listed.
                self._tail(log, run[0])
                yield log, run[1]

    def _lines(self, log: LogName, block: bytes) -> Iterator[LogLine]:
        for raw in self._tails[log].lines_of(block):
            line = log.line(raw)
            if not line.is_of(self._rank, self._stream):
                continue
            if raw.endswith(b"\r") and log.is_shared and line.rank is not None:
                # In a log that several ranks share, states are lines of their own.
                self.bar = line
                continue
            if self.bar and self.bar.label == line.label:
                self.bar = None
            yield line
