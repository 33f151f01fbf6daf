"""Colours: on terminals only, unless NO_COLOR or FORCE_COLOR is set."""

from __future__ import annotations

import os
from typing import IO

CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}
RANKS = ("cyan", "magenta", "yellow", "green", "blue", "red")


def coloured(file: IO[str]) -> bool:
    """Return whether colours shall be written to a file."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return file.isatty() and os.environ.get("TERM") != "dumb"


class Style:
    """Paints text, or leaves it as it is."""

    def __init__(self, file: IO[str]) -> None:
        """Paint for a file, if it takes colours."""
        self._on = coloured(file)

    @property
    def is_plain(self) -> bool:
        """Whether text stays as it is."""
        return not self._on

    def __call__(self, text: str, *names: str) -> str:
        """Return `text` in the given colours."""
        if not (self._on and text and names):
            return text
        codes = ";".join(CODES[name] for name in names)
        return f"\x1b[{codes}m{text}\x1b[0m"
