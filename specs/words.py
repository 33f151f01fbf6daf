"""Numbers of things, in words."""

from __future__ import annotations


def counted(number: int, word: str, several: str | None = None) -> str:
    """Return a number and what it counts: `1 file`, `2 files`; `several` is the word for more."""
    return f"{number} {word if number == 1 else several or word + 's'}"
