"""What jobs did when, as bars on one scale of time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from bai.handle import JobHandle
from bai.runtime.jobs.records import Event, ExecutionState
from bai.specs.words import duration

_BEGINNINGS: Final = ("state", "phase")
"""The kinds of events that begin a new span."""
_MARKED: Final = ("rank", "error", "note")
"""The kinds of events that are marked on the bar of their job."""
_GOING: Final = {each.value for each in ExecutionState if not each.ended}
"""The states that an attempt comes out of again."""
_INTERVALS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200)
"""Seconds between two ticks of the scale; beyond, days."""
_STARTED: Final = ("state", ExecutionState.RUNNING.value)
_DAY: Final = 86_400
_MOST_TICKS: Final = 8
_LAST_TICK: Final = 94
"""Percent of the scale; further to the right there is no room for a text."""


@dataclass(frozen=True, slots=True)
class Span:
    """One thing that a job did for some time."""

    name: str
    """`queued`, `starting`, `mounting`, `preparing`, `running` or `terminating`."""
    begin: datetime
    end: datetime

    @property
    def seconds(self) -> float:
        """How long it took."""
        return (self.end - self.begin).total_seconds()


@dataclass(frozen=True, slots=True)
class Bar:
    """A span as it is drawn, in percent of the scale."""

    name: str
    left: float
    width: float
    lasted: str
    """Its length for people: `5m10s`."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An event as it is drawn."""

    left: float
    """Percent of the scale."""
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Row:
    """What one job did."""

    name: str
    outcome: str
    bars: Sequence[Bar]
    marks: Sequence[Mark]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Rows of bars on one scale."""

    rows: Sequence[Row]
    ticks: Sequence[tuple[float, str]]
    """Percent of the scale, and the time since its beginning: `5m`."""
    begin: datetime
    names: Sequence[str]
    """The names of all spans, in the order of their first appearance."""


def spans_of(events: Iterable[Event], now: datetime) -> list[Span]:
    """Return what an attempt did, in order; the last span of one that goes on ends now.

    Args:
        events: all events of the attempt.
        now: the end of what has not ended.
    """
    found: list[Span] = []
    name: str | None = None
    begin = now
    for event in sorted(events, key=lambda each: each.time):
        if event.kind not in _BEGINNINGS:
            continue
        if name is not None and event.time > begin:
            found.append(Span(name, begin, event.time))
        ended = event.kind == "state" and event.message not in _GOING
        name, begin = None if ended else _name(event), event.time
    if name is not None and now > begin:
        found.append(Span(name, begin, now))
    return found


def _name(event: Event) -> str:
    """Return what an attempt does from an event on."""
    # Its phases say what it does while it runs; before the first, its supervisor starts.
    return "starting" if (event.kind, event.message) == _STARTED else event.message


def timeline_of(jobs: Sequence[JobHandle], now: datetime | None = None) -> Timeline | None:
    """Return what the attempts of some jobs did; None if nothing has happened yet.

    Args:
        jobs: an attempt for each row.
        now: the end of what has not ended; by default the present time.
    """
    now = now or datetime.now(UTC)
    events = [job.events() for job in jobs]
    spans = [spans_of(each, now) for each in events]
    if not (all_spans := [span for each in spans for span in each]):
        return None
    begin = min(span.begin for span in all_spans)
    scale = _Scale(begin, max(span.end for span in all_spans))
    rows = [
        Row(job.name, job.outcome, scale.bars(done), scale.marks(happened))
        for job, done, happened in zip(jobs, spans, events, strict=True)
    ]
    names = dict.fromkeys(span.name for span in all_spans)
    return Timeline(rows, scale.ticks(), begin, list(names))


@dataclass(frozen=True, slots=True)
class _Scale:
    begin: datetime
    end: datetime

    @property
    def seconds(self) -> float:
        return max((self.end - self.begin).total_seconds(), 1e-3)

    def at(self, time: datetime) -> float:
        """Return the place of a time, in percent."""
        share = (time - self.begin).total_seconds() / self.seconds
        return round(100 * min(max(share, 0.0), 1.0), 3)

    def bars(self, spans: Iterable[Span]) -> list[Bar]:
        return [
            Bar(
                span.name,
                self.at(span.begin),
                self.at(span.end) - self.at(span.begin),
                duration(span.seconds),
            )
            for span in spans
        ]

    def marks(self, events: Iterable[Event]) -> list[Mark]:
        return [
            Mark(self.at(event.time), event.kind, event.message)
            for event in events
            if event.kind in _MARKED and event.message
        ]

    def ticks(self) -> list[tuple[float, str]]:
        fitting = (each for each in _INTERVALS if self.seconds / each <= _MOST_TICKS)
        step = next(fitting, _DAY * (1 + int(self.seconds / _DAY / _MOST_TICKS)))
        count = int(self.seconds // step)
        times = [(number, timedelta(seconds=number * step)) for number in range(count + 1)]
        found = [
            (self.at(self.begin + time), duration(number * step) if number else "0")
            for number, time in times
        ]
        return [(left, text) for left, text in found if left <= _LAST_TICK]
