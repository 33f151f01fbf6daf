"""The time between two looks at a job that another process runs."""

from __future__ import annotations

import time
from collections.abc import Iterable

from bai.runtime.jobs.records import Attempt
from bai.runtime.node.processes import await_end

BUSY_SECONDS = 0.05
"""How long to wait before the next look, while there is something to see."""
QUIET_SECONDS = 0.25
"""The same, once there has been nothing for a while: each look takes time from the job."""
_WHILE = 1.0


class PollInterval:
    """Waits between two looks; the end of a job ends the wait."""

    def __init__(self) -> None:
        """Begin with a busy job."""
        self._news = time.monotonic()

    def wait(self, attempts: Iterable[Attempt], *, news: bool = False) -> None:
        """Wait before the next look.

        Args:
            attempts: what is looked at.
            news: whether the last look saw anything new.
        """
        now = time.monotonic()
        if news:
            self._news = now
        seconds = QUIET_SECONDS if now - self._news > _WHILE else BUSY_SECONDS
        # A supervisor ends when it has recorded the end of its attempt.
        supervisors = [attempt.supervisor for attempt in attempts if attempt.supervisor]
        if not await_end(supervisors, seconds):
            time.sleep(seconds)
