"""Words in messages: numbers of things, sizes, lengths of time, and texts in quotes."""

from __future__ import annotations

from typing import Final

CURLY_QUOTES: Final = "\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb"
"""The quotes of word processors, which no language here reads as quotes."""


def unquoted(text: str) -> str:
    """Return a text without the quotes around it, if there are any."""
    return text.strip(f"\"'`{CURLY_QUOTES}")


def counted(number: int, word: str, several: str | None = None) -> str:
    """Return a number and what it counts: `1 file`, `2 files`; `several` is the word for more."""
    return f"{number} {word if number == 1 else several or word + 's'}"


_UNITS: Final = ("bytes", "kB", "MB", "GB", "TB")
_TWO_DIGITS: Final = 10


def sized(number: int) -> str:
    """Return a number of bytes with a unit: `640 bytes`, `3.4 kB`, `34 kB`."""
    power = 0
    while number >= 1000 ** (power + 1) and power < len(_UNITS) - 1:
        power += 1
    if power == 0:
        return counted(number, "byte")
    size = number / 1000**power
    return f"{size:.{0 if size >= _TWO_DIGITS else 1}f} {_UNITS[power]}"


def duration(seconds: float) -> str:
    """Return a length of time in its two largest units: 8.2s, 5m10s, 3h2m, 2d4h."""
    if seconds < 9.95:
        return f"{max(seconds, 0):.1f}s"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest}s"
    if minutes < 60:
        return f"{minutes}m{rest}s" if rest else f"{minutes}m"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours}h{minutes}m" if minutes else f"{hours}h"
    days, hours = divmod(hours, 24)
    return f"{days}d{hours}h" if hours else f"{days}d"
