"""A tolerant parser of YAML and JSON, which finds places by indentation and brackets.

The reader of `bai.specs` needs a correct file; tests compare the places of both. But a file in an
editor is rarely correct: a key that is being typed has no colon yet, and a quoted text no end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bai.lsp.outline import Key, Outline, Place, Scalar, Spot
from bai.lsp.text import Position, Range, split_lines
from bai.lsp.tolerant_flow import MAX_DEPTH, Flow, after_quoted
from bai.specs.findings import Path

MAX_CHARACTERS: Final = 2_000_000
"""Of a text that is looked into; nobody writes longer ones by hand."""

_COLON_OR_COMMENT = re.compile(r":(?=\s|$)|(?:^|(?<=\s))#")
_COMMENT = re.compile(r"(?:^|(?<=\s))#")
_SPACE = re.compile(r"\s*")
_DASH = re.compile(r"-(?=\s|$)")
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*\s+)+")
"""Anchors and tags in front of a node."""
_BLOCK_SCALAR = re.compile(r"[|>][-+0-9]*\s*(?:#.*)?$")


@dataclass(slots=True)
class _Level:
    """A block mapping or sequence that is still open."""

    column: int
    path: Path
    step: str | int | None
    """The key or index that was read last; an integer in a sequence."""
    is_sequence: bool

    @property
    def inner(self) -> Path:
        """The path of what the last key or index leads to."""
        return self.path if self.step is None else (*self.path, self.step)


class _Scanner:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.line = 0
        self.outlines: list[Outline] = []
        self._begin(0)

    def _begin(self, line: int) -> None:
        start = Position(line, 0)
        self.outline = Outline(line, Place(Spot.OPEN, (), start))
        self.outlines.append(self.outline)
        self.levels = [_Level(-1, (), None, is_sequence=False)]
        self.block: tuple[int, Path] | None = None
        """The block scalar that is being read: column of its parent, path."""
        self.filled: set[Path] = set()
        """Paths that have a scalar, or something in brackets."""

    def run(self) -> list[Outline]:
        while self.line < len(self.lines):
            self._read(self.lines[self.line])
            self.line += 1
        return self.outlines

    def _place(self, spot: Spot, path: Path, column: int) -> None:
        self.outline.place = Place(spot, path, Position(self.line, column))

    def _read(self, line: str) -> None:
        indent = len(line) - len(line.lstrip(" "))
        if self.block:
            column, path = self.block
            if not line.strip() or indent > column:
                self._text(path, line, indent, len(line))
                self._place(Spot.TEXT, path, indent)
                return
            self.block = None
        if line.startswith(("---", "...")) and not line[3:4].strip():
            if line.startswith("---") and (self.outline.keys or self.outline.scalars):
                self._begin(self.line)
            if line[3:].strip():
                self._node(line, _skip(line, 3))
            return
        stripped = line.lstrip()
        if not stripped:
            self._blank(len(line))
        elif stripped[0] == "#" or line[0] == "%":
            self._place(Spot.NOTHING, (), len(line))
        elif len(self.levels) <= MAX_DEPTH or indent <= self.levels[-1].column:
            self._node(line, len(line) - len(stripped))

    def _blank(self, column: int) -> None:
        """A line with nothing but the cursor on it."""
        level = self._level_above(column)
        inside = level.column < column
        path = level.inner if inside else level.path
        spot = Spot.NOTHING if inside and path in self.filled else Spot.OPEN
        self._place(spot, path, column)

    def _level_above(self, column: int) -> _Level:
        """Return the level that a key at a column would belong to, without closing any."""
        return next(
            level
            for level in reversed(self.levels)
            if level.column < column or (level.column == column and not level.is_sequence)
        )

    def _node(self, line: str, column: int) -> None:
        """Read dashes, then a key with its value or a scalar."""
        dash: int | None = None
        while _DASH.match(line, column) and len(self.levels) <= MAX_DEPTH:
            self._item(column)
            dash, column = column, _skip(line, column + 1)
        if column >= len(line) or line[column] == "#":
            self._place(Spot.OPEN, self.levels[-1].inner, column)
            return
        at = _PROPERTIES.match(line, column)
        key_start = at.end() if at else column
        found = _key(line, key_start)
        if found is None:
            if dash is None:
                while self.levels[-1].column >= column:
                    self.levels.pop()
            level = self.levels[-1]
            self._value(line, column, level.inner, level.column if dash is None else dash)
            return
        name, key_end, colon = found
        level = self._mapping(column)
        level.step = name
        path = level.inner
        self.outline.keys.append(Key(path, Range.on_line(self.line, key_start, key_end)))
        self._value(line, _skip(line, colon + 1), path, column)

    def _item(self, column: int) -> None:
        while self.levels[-1].column > column:
            self.levels.pop()
        level = self.levels[-1]
        if level.is_sequence and level.column == column:
            assert isinstance(level.step, int)
            level.step += 1
        else:
            self.levels.append(_Level(column, level.inner, 0, is_sequence=True))

    def _mapping(self, column: int) -> _Level:
        level = self._level_above(column)
        while self.levels[-1] is not level:
            self.levels.pop()
        if level.column < column:
            level = _Level(column, level.inner, None, is_sequence=False)
            self.levels.append(level)
        return level

    def _value(self, line: str, column: int, path: Path, parent: int) -> None:
        """Read what stands behind a key or a dash, or alone.

        Args:
            line: the line.
            column: where the value begins.
            path: the value's path.
            parent: column of the key or dash that it belongs to.
        """
        if at := _PROPERTIES.match(line + " ", column):
            column = min(at.end(), len(line))
        if column >= len(line):
            self._place(Spot.VALUE, path, len(line))
            return
        first = line[column]
        if first == "#":
            self._place(Spot.NOTHING, path, column)
            return
        goes_on, is_first = path in self.filled, not line[:column].strip(" -")
        if line[:column].strip():
            self.filled.add(path)
        if _BLOCK_SCALAR.match(line, column):
            self.block = parent, path
            self._place(Spot.NOTHING, path, column)
        elif first in "{[":
            if not path:
                self.outline.is_json = True
            flow = Flow(self.lines, self.outline, parent)
            self.line = flow.read(Position(self.line, column), path)
        elif first in "'\"":
            self._quoted(line, column, path, parent)
        else:
            comment = _COMMENT.search(line, column)
            end = comment.start() if comment else len(line)
            self._text(path, line, column, column + len(line[column:end].rstrip()))
            # What is the first of its line may yet become a key.
            spot = Spot.TEXT if goes_on else Spot.OPEN if is_first else Spot.VALUE
            self._place(Spot.NOTHING if comment else spot, path, column)

    def _quoted(self, line: str, column: int, path: Path, parent: int) -> None:
        """Read a quoted scalar, on several lines if it is closed on a line that belongs to it."""
        quote = line[column]
        number, begin = self.line, column + 1
        while (end := after_quoted(self.lines[number], begin, quote)) is None:
            number, begin = number + 1, 0
            following = self.lines[number] if number < len(self.lines) else None
            if following is None or (
                following.strip() and len(following) - len(following.lstrip()) <= parent
            ):
                # It is being typed: it has no end yet.
                self._text(path, line, column + 1, len(line))
                start = Position(self.line, column + 1)
                self.outline.place = Place(Spot.TEXT, path, start, quote)
                return
        for inner in range(self.line, number + 1):
            text = self.lines[inner]
            start_column = column + 1 if inner == self.line else len(text) - len(text.lstrip())
            self.line = inner
            self._text(path, text, start_column, end - 1 if inner == number else len(text))
        self._place(Spot.NOTHING, path, end)

    def _text(self, path: Path, line: str, start: int, end: int) -> None:
        end = max(start, end)
        where = Range.on_line(self.line, start, end)
        self.outline.scalars.append(Scalar(path, where, line[start:end]))


def _skip(line: str, column: int) -> int:
    """Return the column of the next character that is no white space, or the line's length."""
    found = _SPACE.match(line, column)
    return found.end() if found else column


def _key(line: str, column: int) -> tuple[str, int, int] | None:
    """Return name, end and colon of the key that begins at a column, or None if none does."""
    first = line[column : column + 1]
    if first in ("'", '"'):
        end = after_quoted(line, column + 1, first)
        if end is None:
            return None
        colon = _skip(line, end)
        return (line[column + 1 : end - 1], end, colon) if line[colon : colon + 1] == ":" else None
    if not first or first in "{[|>*&!%@`#":
        return None
    found = _COLON_OR_COMMENT.search(line, column)
    if not found or found[0] != ":":
        return None
    name = line[column : found.start()].rstrip()
    return name, column + len(name), found.start()


def parse_outlines(text: str) -> list[Outline]:
    """Return the outlines of a text: one for each document, at least one."""
    outlines = _Scanner(split_lines(text[:MAX_CHARACTERS])).run()
    for outline in outlines:
        outline.file = outlines
    return outlines
