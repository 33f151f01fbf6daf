"""Why a run is stopped before its processes end, and what its end is then."""

from __future__ import annotations

import time
from typing import Final

from bai.runtime.jobs.journal import Journal
from bai.runtime.jobs.records import End, StopReason, failed, stopped
from bai.specs.durations import MAX_SECONDS, seconds

_TIMED_OUT: Final = "timed out"
_LONGEST: Final = "P7D"
_WORDS: Final = {
    StopReason.CANCEL: "cancelled",
    StopReason.REQUEUE: "queued again",
    StopReason.RESIZE: "nodes removed",
    StopReason.FAILURES: "cancelled after failures in its sweep",
    StopReason.EARLY: "stopped early by its sweep",
}


class Stopped(Exception):  # noqa: N818 - no error
    """The run shall end."""

    def __init__(self, reason: str, ended: str | None = None) -> None:
        """Give up for a reason that `Stop` knows.

        Args:
            reason: why.
            ended: which processes had succeeded by then, in a sentence; None if none.
        """
        super().__init__(reason)
        self.reason = reason
        self.ended = ended


class Stop:
    """Asks whether to go on: a signal, the journal or the time limit may end a run."""

    def __init__(self, journal: Journal, limit: str | None) -> None:
        """Begin now.

        Args:
            journal: it may have a reason.
            limit: the job's longest time, as it is written.
        """
        self._journal = journal
        self._limit = limit or _LONGEST
        self._deadline = time.monotonic() + (seconds(limit) if limit else MAX_SECONDS)
        self._asked = False

    def ask(self, *_: object) -> None:
        """Handle a signal: end the job as if it had been cancelled."""
        self._asked = True

    def reason(self) -> str | None:
        """Return why the run shall end; None if it shall go on."""
        if self._asked:
            return StopReason.CANCEL
        over = time.monotonic() > self._deadline
        return self._journal.stop_reason() or (_TIMED_OUT if over else None)

    def check(self) -> None:
        """Do nothing if the run shall go on.

        Raises:
            Stopped: it shall end.
        """
        if reason := self.reason():
            raise Stopped(reason)

    def words(self, reason: str) -> str:
        """Return what execution logs say of a reason."""
        return reason if reason == _TIMED_OUT else _WORDS[StopReason(reason)]

    def end(self, why: Stopped) -> End:
        """Return the end of a run that was stopped."""
        if why.reason == _TIMED_OUT:
            message = f"The job ran longer than its time limit {self._limit}"
            ended = f"; {why.ended} before" if why.ended else ""
            return failed("JobTimedOut", f"{message}{ended}")
        return stopped(StopReason(why.reason))
