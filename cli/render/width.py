"""How many columns text takes on a terminal."""

from __future__ import annotations

import unicodedata

TAB = 4
_CHARACTERS = 8
"""Characters for a column that a text has at most, also with accents that take none."""


def terminal_width() -> int:
    """Return the columns of the terminal, or 80."""
    # Imported here as output without findings needs no width.
    import shutil

    return shutil.get_terminal_size().columns


def status_width() -> int:
    """Return the columns that a status line may take.

    Some terminals wrap in their last column, and behind the line a Ctrl-C is shown as `^C`.
    """
    return max(1, terminal_width() - 3)


def columns(text: str, start: int = 0) -> int:
    """Return how many columns a text takes that begins in column `start`."""
    if text.isascii() and "\t" not in text:
        return len(text)
    column = start
    for character in text:
        column += TAB - column % TAB if character == "\t" else _columns(character)
    return column - start


def fits(text: str, width: int) -> bool:
    """Return whether a text takes `width` columns at most; only its beginning is looked at."""
    if len(text) > width * _CHARACTERS:
        return False
    return columns(text) <= width


def printable(text: str) -> str:
    """Return a text with tabs as spaces, and a mark for what would move the cursor."""
    parts, column = [], 0
    for character in text:
        if character == "\t":
            parts.append(" " * (TAB - column % TAB))
            column += TAB - column % TAB
        else:
            parts.append(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}")
            column += _columns(character)
    return "".join(parts)


def fit(text: str, width: int) -> str:
    """Return a text, cut with an ellipsis if it takes more than `width` columns."""
    if fits(text, width):
        return text
    column = 0
    for index, character in enumerate(text):
        column = columns(character, column) + column
        if column >= width:
            return text[:index] + "…"
    return text


def wrap(text: str, width: int, start: int = 0, indent: int = 0) -> str:
    """Return a text with lines that are broken at spaces; a word that is too long stays whole.

    Args:
        text: one line, without tabs.
        width: columns of a whole line.
        start: column that the first line begins in.
        indent: column that the others begin in.
    """
    lines: list[list[str]] = [[]]
    column = start
    for word in text.split(" "):
        taken = columns(word)
        if lines[-1] and column + 1 + taken > width:
            lines.append([])
            column = indent
        column += taken + bool(lines[-1])
        lines[-1].append(word)
    return f"\n{' ' * indent}".join(" ".join(line) for line in lines)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
