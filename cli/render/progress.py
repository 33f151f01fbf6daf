"""The progress of jobs in one line: whole values only, as many as there is room for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from bai.cli.render.width import columns, fit, printable

_BARS: Final = (10, 5, 0)
"""Columns of the bar, which gives way to the values."""
_WORD_GAP: Final = "  "
_JOB_GAP: Final = "   "
_LEAST: Final = 23
"""Columns that each of several jobs has, at least: three have room on a terminal of 80."""
_NAME: Final = 6
"""Columns that a name has at least."""
_CUT: Final = "…"


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
    word: str = ""
    """The job's state in one word, if `state` says more."""

    def line(self, room: int) -> str:
        """Return the progress in at most `room` columns: name, time, bar, newest values."""
        for bar in _BARS:
            if columns(line := self._line(bar, len(self.values))) <= room:
                return line
        for count in range(len(self.values) - 1, 0, -1):
            if columns(line := self._line(0, count)) <= room:
                return line
        # The name gives way to the state.
        spare = room - self.least
        name = fit(self.name, max(_NAME, columns(self.name) + spare))
        return fit(replace(self, name=name)._line(0, 0), room)

    @property
    def least(self) -> int:
        """Columns that it takes without a bar and values."""
        return columns(self._line(0, 0))

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
    """Return the progress of jobs beside each other, or how many are in each state.

    Args:
        jobs: how far they are.
        width: columns that there are for all.
    """
    if len(jobs) < 2:
        return "".join(job.line(max(_LEAST, width)) for job in jobs)
    if not _fit(jobs, width, inf):
        jobs = _with_short_names(jobs)
    return _JOB_GAP.join((_beside if _fit(jobs, width, _LEAST) else _counted)(jobs, width))


def _fit(jobs: Sequence[Progress], width: int, most: float) -> bool:
    """Return whether jobs fit beside each other, each in `most` columns or as few as it needs."""
    return sum(min(job.least, most) + len(_JOB_GAP) for job in jobs) <= width + len(_JOB_GAP)


def _beside(jobs: Sequence[Progress], width: int) -> list[str]:
    """Return the lines of jobs that fit beside each other."""
    lines: dict[int, str] = {}
    room = width - len(_JOB_GAP) * (len(jobs) - 1)
    least = [min(job.least, _LEAST) for job in jobs]
    # The shortest first: what they do not need, the others have.
    for index in sorted(range(len(jobs)), key=lambda index: columns(jobs[index].line(width))):
        others = sum(least[other] for other in range(len(jobs)) if other not in {*lines, index})
        share = min(room // (len(jobs) - len(lines)), room - others)
        lines[index] = jobs[index].line(max(least[index], share))
        room -= columns(lines[index])
    return [lines[index] for index in range(len(jobs))]


def _counted(jobs: Sequence[Progress], width: int) -> list[str]:
    """Return how many of many jobs are in each state, and as many lines of jobs as fit.

    Those that have come furthest come first: a queued one has nothing to show.
    """
    counts = Counter(job.word or job.state for job in jobs)
    words = ", ".join(f"{count} {word}" for word, count in counts.items())
    found, room = [words], width - columns(words)
    for job in sorted(jobs, key=lambda job: job.step is None):
        line = job.line(_LEAST)
        room -= len(_JOB_GAP) + columns(line)
        if room < 0:
            break
        found.append(line)
    return found


def _with_short_names(jobs: Sequence[Progress]) -> list[Progress]:
    """Return jobs without the words that all of their names begin or end with."""
    names = [job.name for job in jobs]
    begin = _shared_words(names)
    end = _shared_words([name[begin:][::-1] for name in names])
    begin, end = (length if length > len(_CUT) else 0 for length in (begin, end))
    marks = [_CUT if length else "" for length in (begin, end)]
    short = [name[begin : len(name) - end].join(marks) for name in names]
    return [replace(job, name=name) for job, name in zip(jobs, short, strict=True)]


def _shared_words(texts: Sequence[str]) -> int:
    """Return the length of the words, with what separates them, that all texts begin with."""
    first, last = min(texts), max(texts)
    pairs = enumerate(zip(first, last, strict=False))
    same = next((index for index, (one, other) in pairs if one != other), len(first))
    return max(first.rfind(separator, 0, same) + 1 for separator in "-_/")
