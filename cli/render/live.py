"""Jobs while they run: phases, log lines, and their progress."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from math import inf

from bai.cli.render.progress import Progress, progress_line
from bai.cli.render.screen import Screen, format_line
from bai.cli.render.width import status_width
from bai.handle import JobHandle
from bai.log_lines import LogLine
from bai.poll_interval import PollInterval
from bai.runtime.jobs.records import ExecutionState
from bai.runtime.jobs.waiting import Waiting
from bai.runtime.provider.base import Provider
from bai.specs.words import duration

LineChoice = tuple[int | str | None, str | None, int | None]
"""Which lines of a job are shown: `rank`, `stream` and `tail` as `JobHandle.logs` takes them."""
ALL_LINES: LineChoice = (None, None, None)

STATUS_SECONDS = 0.2
"""How often the status line is made anew."""


def show_live(going: dict[str, FollowedJob], screen: Screen, provider: Provider) -> Iterator[str]:
    """Write what happens to jobs until all have ended.

    Args:
        going: the jobs by the names that are shown; those that have ended are removed from it.
        screen: where to write.
        provider: runs them.

    Yields:
        The name of each job that has ended, when all of it is written.
    """
    uuids = {job.attempt.uuid: job for job in going.values()}
    interval = PollInterval(provider, lambda uuid, sentence: uuids[uuid].tell(sentence))
    status, made = "", -inf
    try:
        while True:
            for name in [name for name, job in going.items() if not job.advance()]:
                del going[name]
                # The caller may write, too: below the job's last line.
                screen.show()
                yield name
            if not going:
                return
            if screen.has_status and time.monotonic() - made >= STATUS_SECONDS:
                status = progress_line([job.progress() for job in going.values()], status_width())
                made = time.monotonic()
            screen.show(status)
            news = any(job.news for job in going.values())
            interval.wait([job.attempt.uuid for job in going.values()], news=news)
    finally:
        screen.show()


class FollowedJob:
    """One job that is shown while it runs, and how far it has been shown."""

    def __init__(
        self,
        job: JobHandle,
        name: str,
        screen: Screen,
        lines: LineChoice,
        *,
        prefixed: bool,
    ) -> None:
        """Show a job from its beginning.

        Args:
            job: what to show.
            name: what it is called on the screen.
            screen: where to write.
            lines: which of its lines to show.
            prefixed: whether its lines begin with its name.
        """
        self.job = job
        self._name = name
        self._prefix = name if prefixed else None
        self._screen = screen
        self._rank = lines[0]
        self._logs = job.log_reader(*lines)
        self.attempt = job.attempt
        """What it was at the last look."""
        self.news = False
        """Whether there was anything new then."""
        self._event = 0
        self._told: set[tuple[datetime, str, str]] = set()
        self._waiting: Waiting | None = None
        self._asked = -inf
        self._metrics = job.metrics_reader()
        self._values: dict[str, float] = {}
        self._step: int | None = None
        self._total: int | None = None

    def advance(self) -> bool:
        """Write what is new; False once there will be no more."""
        # Asked before the look at the logs, so that nothing is lost.
        self.attempt = self.job.attempt
        self.news = False
        self._write_events()
        for number, line in enumerate(self._logs.read(final=self.attempt.state.ended)):
            if number == 0:
                self.news = True
                # What was written may belong to a phase that began since.
                self._write_events()
            self._screen.write(self._formatted(line))
        self._look_for_a_wait()
        return not self.attempt.state.ended

    def _formatted(self, line: LogLine) -> str:
        return format_line(line, self._screen.style, self._prefix, ranks=self._rank is None)

    def is_in_sight(self, line: LogLine) -> bool:
        """Return whether a line of the job is among the last ones on the screen."""
        return self._screen.is_recent(self._formatted(line))

    def progress(self) -> Progress:
        """Return how far the job is by now."""
        for each in self._metrics.read():
            self._values |= each.values
            self._step = self._step if each.step is None else each.step
            self._total = each.total or self._total
        # Since it runs, or has been queued.
        since = self.attempt.started or self.attempt.created
        end = self.attempt.ended or datetime.now(UTC)
        return Progress(
            self._name,
            duration((end - since).total_seconds()),
            self._state(),
            self._step,
            self._total,
            tuple(f"{name} {value:.4g}" for name, value in self._values.items()),
            self.attempt.state.value,
        )

    def _state(self) -> str:
        if self._waiting:
            return str(self._waiting)
        bar = self._logs.bar
        return bar.text.strip() if bar and bar.text.strip() else self.attempt.state.value

    def _write_events(self) -> None:
        for event in self.job.events(self._event):
            self._event = event.sequence or self._event
            # It had no number when it was read before.
            if (event.time, event.kind, event.message) in self._told:
                continue
            self._told.add((event.time, event.kind, event.message))
            self.news = True
            if event.kind == "rank" or (event.kind == "state" and event.message != "queued"):
                # The phases and the summary show as much, at a better place.
                continue
            self._tell_at(event.message, event.time)

    def _look_for_a_wait(self) -> None:
        """Write what a queued job waits for, whenever that is something else.

        How the line before it gets shorter is for the status line alone, and so is what each of
        many members of a sweep waits for.
        """
        if self.attempt.state is not ExecutionState.QUEUED:
            self._waiting = None
        elif time.monotonic() - self._asked >= STATUS_SECONDS:
            self._asked = time.monotonic()
            before, self._waiting = self._waiting, self.job.waiting
            if self._waiting in (None, before):
                return
            unit = self._waiting.unit
            is_shorter = before is not None and before.unit == unit and unit in ("turn", "sweep")
            if not is_shorter and not (unit == "sweep" and self._prefix):
                self.tell(str(self._waiting))

    def tell(self, what: str) -> None:
        """Write what is the matter with the job now."""
        self._tell_at(what, datetime.now(UTC))

    def _tell_at(self, what: str, when: datetime) -> None:
        since = duration((when - self.attempt.created).total_seconds())
        name = f"{self._prefix}: " if self._prefix else ""
        self._screen.write(self._screen.style(f"{name}{what}  +{since}", "dim"))
