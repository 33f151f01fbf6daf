"""The progress of jobs in one line: whole values only, as many as there is room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bai.cli.render.width import columns, fit, printable

_BARS: Final = (10, 5, 0)
"""Columns of the bar, which gives way to the values."""
_WORD_GAP: Final = "  "
_JOB_GAP: Final = "   "
_LEAST: Final = 23
"""Columns that each of several jobs has, at least: three have room on a terminal of 80."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is."""

    name: str
    time: str
    state: str
    """Shown as long as there is no step."""
    step: int | None = None
    total: int | None = None
    values: tuple[str, ...] = ()
    """The newest values with their names: `loss 0.25`."""

    def line(self, room: int) -> str:
        """Return the progress in at most `room` columns: name, time, bar, newest values."""
        for bar in _BARS:
            if columns(line := self._line(bar, len(self.values))) <= room:
                return line
        for count in range(len(self.values) - 1, 0, -1):
            if columns(line := self._line(0, count)) <= room:
                return line
        return fit(self._line(0, 0), room)

    def _line(self, bar: int, values: int) -> str:
        words = [self.name, self.time, *self._steps(bar), *self.values[:values]]
        return printable(_WORD_GAP.join(words))

    def _steps(self, bar: int) -> Iterator[str]:
        if self.step is None:
            yield self.state
        elif not self.total:
            yield f"step {self.step}"
        else:
            full = max(0, min(bar, self.step * bar // self.total))
            drawn = f"{'█' * full}{'░' * (bar - full)} " if bar else ""
            yield f"{drawn}{self.step}/{self.total}"


def progress_line(jobs: Sequence[Progress], width: int) -> str:
    """Return the progress of jobs beside each other.

    Args:
        jobs: how far they are.
        width: columns that there are for all. More jobs than fit take more.
    """
    lines: dict[int, str] = {}
    room = width - len(_JOB_GAP) * (len(jobs) - 1)
    # The shortest first: what they do not need, the others have.
    for index in sorted(range(len(jobs)), key=lambda index: columns(jobs[index].line(width))):
        share = room // (len(jobs) - len(lines))
        lines[index] = jobs[index].line(max(_LEAST, share))
        room -= columns(lines[index])
    return _JOB_GAP.join(lines[index] for index in range(len(jobs)))
