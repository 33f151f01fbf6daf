"""The time between two looks at jobs that other processes run."""

from __future__ import annotations

import time
from collections.abc import Collection

from bai.runtime.provider.base import Provider

BUSY_SECONDS = 0.05
"""How long to wait before the next look, while there is something to see."""
QUIET_SECONDS = 0.25
"""The same, once there has been nothing for a while: each look takes time from the job."""
_WHILE = 1.0


class PollInterval:
    """Waits between two looks; the end of a job ends the wait."""

    def __init__(self, provider: Provider) -> None:
        """Begin with a busy job.

        Args:
            provider: runs the jobs.
        """
        self._provider = provider
        self._news = time.monotonic()

    def wait(self, uuids: Collection[str], *, news: bool = False) -> None:
        """Wait before the next look.

        Args:
            uuids: the attempts that are looked at.
            news: whether the last look saw anything new.
        """
        now = time.monotonic()
        if news:
            self._news = now
        self._provider.wait(uuids, QUIET_SECONDS if now - self._news > _WHILE else BUSY_SECONDS)
