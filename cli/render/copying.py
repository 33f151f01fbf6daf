"""The progress of a copy, in one line."""

from __future__ import annotations

import time
from typing import IO, Final

from bai.cli.render.screen import Screen
from bai.runtime.storage.copying import Progress
from bai.specs.words import counted, duration, sized

_BAR: Final = 10
"""Columns of the bar."""
_QUIET: Final = 0.5
"""Seconds for which nothing is shown: most copies take less."""
_PAUSE: Final = 0.2
"""Seconds between two states of the line."""
_UNITS: Final = ("bytes", "kB", "MB", "GB", "TB")


class CopyLine:
    """Shows on a terminal how far a copy is; elsewhere nothing."""

    def __init__(self, out: IO[str], *, quiet: float = _QUIET) -> None:
        """Show it on `out`, after `quiet` seconds."""
        self._screen = Screen(out)
        self._begun = time.monotonic()
        self._next = self._begun + quiet

    def __call__(self, progress: Progress) -> None:
        """Show the progress, not too often."""
        now = time.monotonic()
        if self._screen.has_status and now >= self._next:
            self._screen.show(line(progress, now - self._begun))
            self._next = now + _PAUSE

    def close(self) -> None:
        """Wipe the line."""
        self._screen.show()


def line(progress: Progress, seconds: float = 0) -> str:
    """Return the progress in words: `█████░░░ 3 of 12 files, 1.2 of 4.0 GB, 80 MB/s, 35s left`.

    Args:
        progress: how far the copy is.
        seconds: since when; 0 without a rate.
    """
    done, total = progress.bytes, max(progress.bytes, progress.all_bytes)
    full = done * _BAR // total if total else 0
    drawn = "█" * full + "░" * (_BAR - full)
    power = 0
    while total >= 1000 ** (power + 1) and power < len(_UNITS) - 1:
        power += 1
    numbers = [f"{each / 1000**power:.1f}" if power else str(each) for each in (done, total)]
    files = f"{progress.files} of {counted(progress.all_files, 'file')}, "
    if progress.all_files == 1:
        files = ""
    rate = _rate(done, total - done, seconds) if done and seconds else ""
    return f"copying {drawn} {files}{numbers[0]} of {numbers[1]} {_UNITS[power]}{rate}"


def _rate(done: int, left: int, seconds: float) -> str:
    rest = f", {duration(left * seconds / done)} left" if left else ""
    return f", {sized(round(done / seconds))}/s{rest}"
