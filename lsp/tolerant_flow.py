"""The part of the tolerant parser that reads brackets: JSON, and YAML's flow style."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bai.lsp.outline import Key, Outline, Place, Scalar, Spot
from bai.lsp.text import Position, Range
from bai.specs.findings import Path

MAX_DEPTH: Final = 100
"""Of brackets; what is deeper, and all behind it, is not read."""

_PLAIN_END = re.compile(r"[,\[\]{}]|:(?=[\s,\[\]{}]|$)|\s#|$")
_SPACE = re.compile(r"\s*")
_DOUBLE = re.compile(r'(?:[^"\\]|\\.)*"')
_SINGLE = re.compile(r"(?:[^']|'')*'")


def after_quoted(line: str, column: int, quote: str) -> int | None:
    """Return the column behind a quoted text, or None if it does not end on the line.

    Args:
        line: the line.
        column: where the text begins, behind its quotation mark.
        quote: the quotation mark.
    """
    found = (_DOUBLE if quote == '"' else _SINGLE).match(line, column)
    return found.end() if found else None


@dataclass(slots=True)
class _Bracket:
    """A bracket that is still open."""

    path: Path
    index: int | None
    """The current item's, in a sequence."""
    key: str | None = None
    """The key whose value comes next, in a mapping."""
    done: bool = False
    """Whether the current item or value is there already."""

    @property
    def inner(self) -> Path:
        if self.index is not None:
            return (*self.path, self.index)
        return self.path if self.key is None else (*self.path, self.key)


class Flow:
    """Reads from an opening bracket to its end, or to where it can't go on."""

    def __init__(self, lines: Sequence[str], outline: Outline, parent: int) -> None:
        """Prepare to add to an outline.

        Args:
            lines: of the whole text.
            outline: what the keys and scalars are added to; its place is set.
            parent: column of the key that the bracket belongs to. A line that is not indented
                further belongs to something else: the bracket is not closed yet.
        """
        self._lines = lines
        self._outline = outline
        self._parent = parent
        self._open: list[_Bracket] = []
        self._line = 0

    def read(self, start: Position, path: Path) -> int:
        """Read the value at a path; return the last line that belongs to it."""
        self._line, column = start.line, start.column
        self._enter(path, self._lines[self._line][column])
        column += 1
        while True:
            column = self._read_line(self._lines[self._line], column)
            if not self._open:
                self._place(Spot.NOTHING, column)
                return self._line
            following = self._line + 1
            if len(self._open) > MAX_DEPTH:
                return len(self._lines)
            if following == len(self._lines) or self._is_foreign(self._lines[following]):
                return self._line
            self._line, column = following, 0

    def _is_foreign(self, line: str) -> bool:
        text = line.lstrip()
        return len(line) - len(text) <= self._parent and bool(text) and text[0] not in "}],#"

    def _enter(self, path: Path, bracket: str) -> None:
        self._open.append(_Bracket(path, 0 if bracket == "[" else None))

    def _read_line(self, line: str, column: int) -> int:
        while self._open and len(self._open) <= MAX_DEPTH:
            if space := _SPACE.match(line, column):
                column = space.end()
            self._expect(column)
            if column == len(line):
                return column
            here, first = self._open[-1], line[column]
            if first == "#" and (column == 0 or line[column - 1].isspace()):
                self._place(Spot.NOTHING, len(line))
                return len(line)
            if first in "{[":
                self._enter(here.inner, first)
                here.done = True
                column += 1
            elif first in "}]":
                self._open.pop()
                column += 1
            elif first == ",":
                here.key, here.done = None, False
                if here.index is not None:
                    here.index += 1
                column += 1
            elif first == ":":
                here.done = False
                column += 1
            else:
                after = self._scalar(line, column, here)
                if after is None:
                    return len(line)
                column = after
        return column

    def _scalar(self, line: str, column: int, here: _Bracket) -> int | None:
        """Read a scalar; return the column behind it, or None if it may go on with more typing."""
        quote = line[column] if line[column] in "'\"" else ""
        start = column + len(quote)
        if quote:
            end = after_quoted(line, start, quote)
            closed = end is not None
            after = len(line) if end is None else end
            stop = after - 1 if closed else after
        else:
            found = _PLAIN_END.search(line, start)
            after = found.start() if found else len(line)
            # What can't begin a plain scalar is a mistake, and must not stop the reading.
            after = max(after, start + 1)
            stop = start + len(line[start:after].rstrip())
            closed = False
        text = line[start:stop]
        is_key = here.index is None and here.key is None
        if is_key:
            here.key, here.done = text, True
            whole = Range.on_line(self._line, column, after if quote else stop)
            self._outline.keys.append(Key(here.inner, whole))
        else:
            where = Range.on_line(self._line, start, stop)
            self._outline.scalars.append(Scalar(here.inner, where, text))
            here.done = True
        if after == len(line) and not closed:
            path = here.path if is_key else here.inner
            spot = Spot.KEY if is_key else Spot.TEXT if quote else Spot.VALUE
            begin = Position(self._line, start)
            self._outline.place = Place(spot, path, begin, quote, flow=True)
            return None
        return after

    def _expect(self, column: int) -> None:
        """Record what could come next, at a column."""
        here = self._open[-1]
        if here.done:
            self._place(Spot.NOTHING, column)
        elif here.index is None and here.key is None:
            self._place(Spot.KEY, column, here.path)
        else:
            self._place(Spot.VALUE, column, here.inner)

    def _place(self, spot: Spot, column: int, path: Path = ()) -> None:
        self._outline.place = Place(spot, path, Position(self._line, column), flow=True)
