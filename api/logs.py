"""The log lines of an attempt, while it runs or after."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

POLL_SECONDS = 0.1
_LABEL = re.compile(r"\[(\d+)\]<(stdout|stderr)>: ?")
_FILE = re.compile(r"(stdout|stderr)(-job_prep)?(?:-(.+))?\.txt")
MAX_READ = 1 << 20


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

    def __str__(self) -> str:
        label = self.source if self.rank is None else str(self.rank)
        return self.text if label is None else f"[{label}] {self.text}"


class _Tail:
    """A file read as it grows."""

    def __init__(self, path: Path) -> None:
        match = _FILE.fullmatch(path.name)
        assert match is not None
        self._path = path
        self._stream, preparation, self._source = match.groups()
        if preparation:
            self._source = f"{self._source} preparation" if self._source else "preparation"
        self._offset = 0
        self._rest = b""

    def lines(self, *, final: bool) -> Iterator[LogLine]:
        """Iterate over new whole lines; at the end over an unfinished one, too."""
        with self._path.open("rb") as file:
            file.seek(self._offset)
            while data := file.read(MAX_READ):
                self._offset += len(data)
                *whole, self._rest = (self._rest + data).split(b"\n")
                yield from map(self._line, whole)
        if final and self._rest:
            yield self._line(self._rest)
            self._rest = b""

    def _line(self, raw: bytes) -> LogLine:
        text = raw.decode("utf-8", "replace").rstrip("\r")
        if match := _LABEL.match(text):
            return LogLine(text[match.end() :], match[2], int(match[1]))
        rank = int(self._source) if self._source and self._source.isdigit() else None
        return LogLine(text, self._stream, rank, None if rank is not None else self._source)


def read_logs(
    folder: Path, ended: Callable[[], bool], *, follow: bool, rank: int | None = None
) -> Iterator[LogLine | None]:
    """Iterate over the lines of a log folder.

    Args:
        folder: the attempt's stdouterr folder; need not exist yet.
        ended: whether the attempt has ended. Asked before each look, so that nothing is lost.
        follow: whether to wait for more until then.
        rank: the only rank to show; None for all.

    Yields:
        Lines, in the order of each file; None whenever there is nothing new, before waiting.
    """
    tails: dict[Path, _Tail] = {}
    while True:
        final = ended() or not follow
        for path in sorted(folder.glob("std*.txt")):
            if _FILE.fullmatch(path.name):
                tails.setdefault(path, _Tail(path))
        for tail in tails.values():
            for line in tail.lines(final=final):
                if rank is None or line.rank == rank:
                    yield line
        if final:
            return
        yield None
        time.sleep(POLL_SECONDS)
