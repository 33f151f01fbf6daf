"""The log lines of an attempt, while it runs or after."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bai.runtime.engines.log_order import read_run
from bai.tail import Tail

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
