"""Lines and positions, in characters here and in the client's units outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

_LINE_END = re.compile("\r\n|\n|\r")
"""The line ends of the protocol, and of YAML 1.2: no others."""


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place between two characters. Line and column count from 0, columns in characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Range:
    """A half-open range of text."""

    start: Position
    end: Position

    @classmethod
    def on_line(cls, line: int, start: int, end: int) -> Range:
        """Return the range between two columns of a line."""
        return cls(Position(line, start), Position(line, end))

    def __contains__(self, position: Position) -> bool:
        """Whether a cursor there touches the range; it also does right behind it."""
        return self.start <= position <= self.end


def split_lines(text: str) -> list[str]:
    """Return the lines of a text without their ends; a text has at least one."""
    # A carriage return is rare; without one there is a quicker way.
    return _LINE_END.split(text) if "\r" in text else text.split("\n")


_UNITS: Final[dict[str, Callable[[str], int]]] = {
    "utf-8": lambda character: len(character.encode("utf-8", "surrogatepass")),
    "utf-16": lambda character: 2 if character > "\uffff" else 1,
}


def to_units(line: str, column: int, encoding: str) -> int:
    """Return a column in a client's units.

    Args:
        line: the text of the line.
        column: in characters; what is behind the end of the line counts as its end.
        encoding: `utf-8`, `utf-16` or `utf-32`.
    """
    before = line[:column]
    size = _UNITS.get(encoding)
    if size is None or before.isascii():
        return len(before)
    return sum(map(size, before))


def from_units(line: str, units: int, encoding: str) -> int:
    """Return a client's column in characters; the end of the line for what is behind it.

    A position in the middle of a character counts as in front of it.
    """
    size = _UNITS.get(encoding)
    if size is None or line.isascii():
        return max(0, min(units, len(line)))
    for column, character in enumerate(line):
        units -= size(character)
        if units < 0:
            return column
    return len(line)


def clamp(lines: Sequence[str], line: int, units: int, encoding: str) -> Position:
    """Return the position of a client's line and column, inside of the text in any case."""
    if line < 0:
        return Position(0, 0)
    if line >= len(lines):
        return Position(len(lines) - 1, len(lines[-1]))
    return Position(line, from_units(lines[line], units, encoding))
