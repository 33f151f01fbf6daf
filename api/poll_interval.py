"""The time between two looks at jobs that other processes run."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from math import inf

from bai.runtime.errors import NotFoundError
from bai.runtime.provider.base import Provider

BUSY_SECONDS = 0.05
"""How long to wait before the next look, while there is something to see."""
QUIET_SECONDS = 0.25
"""The same, once there has been nothing for a while: each look takes time from the job."""
_WHILE = 1.0
SILENT_SECONDS = 30.0
"""How long a supervisor may show no sign of life before that is reported."""
_WAY = "and the job can't end before it is continued (SIGCONT) or killed"
LOOK_SECONDS = 2.0
"""How often signs of life are looked for."""


class PollInterval:
    """Waits between two looks; the end of a job ends the wait."""

    def __init__(
        self, provider: Provider, report: Callable[[str, str], object] | None = None
    ) -> None:
        """Begin with a busy job.

        Args:
            provider: runs the jobs.
            report: called with an attempt and a sentence when its supervisor has shown no sign of
                life for long, so that nobody waits without end and without a word.
        """
        self._provider = provider
        self._report = report
        self._news = time.monotonic()
        self._looked = self._news
        self._silent: dict[str, float] = {}
        """Attempt -> since when it shows no sign of life; infinity once that is reported."""

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
        if self._report and now - self._looked >= LOOK_SECONDS:
            self._looked = now
            for uuid in uuids:
                self._listen(uuid, now, self._report)

    def _listen(self, uuid: str, now: float, report: Callable[[str, str], object]) -> None:
        try:
            silent = self._provider.is_silent(uuid)
        except NotFoundError:
            # That it was deleted is noticed at the next look.
            silent = False
        if not silent:
            self._silent.pop(uuid, None)
        elif now - self._silent.setdefault(uuid, now) >= SILENT_SECONDS:
            self._silent[uuid] = inf
            seconds = f"{SILENT_SECONDS:.0f} s"
            report(uuid, f"no sign of its supervisor for {seconds}: it was stopped, {_WAY}")
