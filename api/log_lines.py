"""One line of a log, and what the names of logs say of their lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LABEL: Final = r"\[(\d{1,9})\]<(stdout|stderr)>:"
"""What begins the lines of ranks that share a log; mostly a space follows."""
_LABEL: Final = re.compile(f"{LABEL} ?", re.ASCII)
_NAME: Final = re.compile(r"(stdout|stderr)(-job_prep)?(?:-([^/]+))?\.txt")
_RANK: Final = re.compile(r"[0-9]{1,9}")


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


@dataclass(frozen=True, slots=True)
class LogName:
    """What the name of a log says of its lines."""

    stream: str
    rank: int | None
    """The rank of `stdout-3.txt`."""
    source: str | None
    """What else its lines are from: `wk-0`, `node-1 preparation`."""
    is_shared: bool
    """Whether ranks may share it, each line with a label."""
    order: tuple[bool, bool, str]
    """Where it comes among logs of which it is unknown when they were written."""

    @classmethod
    def parse(cls, name: str) -> LogName | None:
        """Return what a name says; None if it is not a log's."""
        if not (match := _NAME.fullmatch(name)):
            return None
        stream, preparation, source = match.groups()
        rank = None
        if preparation:
            source = f"{source} preparation" if source else "preparation"
        elif source and _RANK.fullmatch(source):
            rank, source = int(source), None
        order = preparation is None, stream == "stderr", name
        return cls(stream, rank, source, match[3] is None, order)

    def line(self, raw: bytes) -> LogLine:
        """Return a line of the log."""
        text = raw.decode("utf-8", "replace").rstrip("\r")
        if label := _LABEL.match(text):
            return LogLine(text[label.end() :], label[2], int(label[1]))
        return LogLine(text, self.stream, self.rank, self.source)
