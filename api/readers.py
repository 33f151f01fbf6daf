"""Readers of what an attempt writes, while it runs or after: log lines, and metrics of scripts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from bai.runtime.jobs.log_order import read_run

_READ = 1 << 20


class Tail:
    """The lines of a file that others append to; what was read once is not read again."""

    def __init__(self, path: Path, *, bars: bool = False) -> None:
        """Start at the beginning.

        Args:
            path: the file; need not exist yet.
            bars: whether a carriage return begins a line anew, as a progress bar does. Only what a
                terminal would show in the end counts then.
        """
        self._path = path
        self._bars = bars
        self._offset = 0
        self._pieces: list[bytes] = []
        """The begun line, in pieces, so that a long one costs no more than a short one."""

    def lines(self, *, final: bool, until: int | None = None) -> Iterator[bytes]:
        """Iterate over new whole lines, without their ends.

        Args:
            final: whether a begun line counts, too.
            until: how many bytes of the file to read at most, in all; None for all there are.
        """
        try:
            if until is not None or self._path.stat().st_size > self._offset:
                yield from self._read(until)
        except FileNotFoundError:
            return
        if final and (begun := b"".join(self._pieces)):
            self._pieces = []
            yield self._shown(begun)

    def bar(self) -> bytes:
        """Return what the begun line shows now if it was begun anew; else nothing."""
        anew = self._pieces and self._pieces[0].startswith(b"\r")
        return self._shown(b"".join(self._pieces)) if anew else b""

    def _shown(self, line: bytes) -> bytes:
        """Return what stands behind the last carriage return, but for those at the end."""
        return line[line.rstrip(b"\r").rfind(b"\r") + 1 :] if self._bars else line

    def _begin(self, piece: bytes) -> None:
        """Take a piece of a begun line, and forget what it writes over."""
        ended = bool(self._pieces) and self._pieces[-1].endswith(b"\r") and piece.strip(b"\r")
        if self._bars and (ended or len(self._shown(piece)) < len(piece)):
            self._pieces = [b"\r" + self._shown(piece)]
        elif piece:
            self._pieces.append(piece)

    def _read(self, until: int | None) -> Iterator[bytes]:
        def size() -> int:
            return _READ if until is None else max(0, min(_READ, until - self._offset))

        if not size():
            return
        with self._path.open("rb", buffering=0) as file:
            file.seek(self._offset)
            while data := file.read(size()):
                self._offset += len(data)
                *ended, begun = data.split(b"\n")
                for piece in ended:
                    yield self._shown(b"".join([*self._pieces, piece]))
                    self._pieces = []
                self._begin(begun)


_LABEL = re.compile(r"\[(\d+)\]<(stdout|stderr)>: ?")
_FILE = re.compile(r"(stdout|stderr)(-job_prep)?(?:-(.+))?\.txt")


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line that a process of a job wrote."""

    text: str
    """The line, without its label and its end."""
    stream: str
    """stdout or stderr."""
    rank: int | None = None
    """The rank, where the job's processes share their logs."""
    source: str | None = None
    """`wk-0`, or `node-1 preparation`: what else the line is from."""

    @property
    def label(self) -> str | None:
        """Which of the job's processes wrote it; None for a job's only one."""
        return self.source if self.rank is None else str(self.rank)

    def __str__(self) -> str:
        return self.text if self.label is None else f"{self.label} | {self.text}"

    def is_of(self, rank: int | str | None, stream: str | None) -> bool:
        """Return whether a process wrote it to a stream; None stands for any.

        Args:
            rank: the process's rank, or its name: `wk-0`. A job's only one is its rank 0.
            stream: `stdout` or `stderr`.
        """
        own = "0" if self.label is None else self.label
        return (rank is None or str(rank) == own) and stream in (None, self.stream)


class LogReader:
    """The log folder of an attempt, read as it grows.

    Of a line that is begun anew by carriage returns, as a progress bar is, only the last state is
    read. What it shows meanwhile is `bar`.
    """

    def __init__(
        self,
        folder: Path,
        rank: int | str | None = None,
        stream: str | None = None,
        order: Path | None = None,
    ) -> None:
        """Read from the beginning.

        Args:
            folder: the attempt's stdouterr folder; need not exist yet.
            rank: the only process to read, by its rank or its name (`wk-0`); None for all.
            stream: `stdout` or `stderr`, to read nothing else.
            order: the record of the order in which the logs were written.
        """
        self._folder = folder
        self._rank = rank
        self._stream = stream
        self._tails: dict[str, tuple[re.Match[str], Tail]] = {}
        self._order = Tail(order) if order else None
        self.bar: LogLine | None = None
        """The newest state of a progress bar that has not ended."""
        self._recorded: Counter[str] = Counter()
        """Log -> its bytes whose place in the order has been read."""

    def read(self, *, final: bool) -> Iterator[LogLine]:
        """Iterate over what is new, in the order in which it was written.

        A line comes where it ended. What the record of the order does not hold comes last:
        preparation first, stdout before stderr.

        Args:
            final: whether the attempt had ended before this call. A begun line is read only then.
        """
        for path in self._folder.glob("std*.txt"):
            if path.name not in self._tails and (match := _FILE.fullmatch(path.name)):
                self._tails[path.name] = match, Tail(path, bars=True)
        for name, until in self._runs():
            yield from self._lines(name, final=False, until=until)
        for name, _ in sorted(self._tails.items(), key=_order):
            yield from self._lines(name, final=final)

    def _runs(self) -> Iterator[tuple[str, int]]:
        """Iterate over the record: the next log, and how far to read it."""
        for line in self._order.lines(final=False) if self._order else ():
            run = read_run(line)
            if run and run[0] in self._tails:
                name, count = run
                self._recorded[name] += count
                yield name, self._recorded[name]

    def _lines(self, name: str, *, final: bool, until: int | None = None) -> Iterator[LogLine]:
        match, tail = self._tails[name]
        for raw in tail.lines(final=final, until=until):
            line = _line(raw, match)
            if not line.is_of(self._rank, self._stream):
                continue
            if raw.endswith(b"\r") and match[3] is None and line.rank is not None:
                # In a log that several ranks share, states are lines of their own.
                self.bar = line
                continue
            if self.bar and self.bar.label == line.label:
                self.bar = None
            yield line
        if state := tail.bar():
            line = _line(state, match)
            if line.is_of(self._rank, self._stream):
                self.bar = line


def _order(item: tuple[str, tuple[re.Match[str], Tail]]) -> tuple[bool, bool, str]:
    name, (match, _) = item
    return match[2] is None, match[1] == "stderr", name


def _line(raw: bytes, file: re.Match[str]) -> LogLine:
    text = raw.decode("utf-8", "replace").rstrip("\r")
    if label := _LABEL.match(text):
        return LogLine(text[label.end() :], label[2], int(label[1]))
    stream, preparation, source = file.groups()
    if preparation:
        return LogLine(text, stream, None, f"{source} preparation" if source else "preparation")
    rank = int(source) if source and source.isdigit() else None
    return LogLine(text, stream, rank, None if rank is not None else source)


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a script reported at one moment."""

    time: float
    """Seconds since 1970."""
    values: dict[str, float] = field(default_factory=dict)
    step: int | None = None
    total: int | None = None
    rank: int | None = None


_METRICS = TypeAdapter(Metrics)


class MetricsReader:
    """The metrics file of an attempt, read as it grows."""

    def __init__(self, path: Path) -> None:
        """Read from the beginning; the file need not exist yet."""
        self._tail = Tail(path)

    def read(self) -> Iterator[Metrics]:
        """Iterate over what is new."""
        for line in self._tail.lines(final=False):
            try:
                yield _METRICS.validate_json(line)
            except ValidationError:
                # Something else wrote to the file.
                continue
