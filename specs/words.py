"""Words in messages: numbers of things, and texts in quotes."""

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
