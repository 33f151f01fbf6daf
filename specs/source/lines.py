"""The lines of a text, as spans count them."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Final

BYTE_ORDER_MARK: Final = "\ufeff"
_BREAK: Final = "\r\n?|\n"


class Lines:
    r"""Places in a text: lines and columns count from 1 and in characters, offsets from 0.

    A line ends at `\n`, `\r\n` or a lone `\r`. A byte order mark is part of the text, for
    offsets, but stands before column 1.
    """

    def __init__(self, text: str) -> None:
        """Look at a text; nothing is computed yet."""
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """Offset of the first character of every line."""
        first = len(BYTE_ORDER_MARK) if self.text.startswith(BYTE_ORDER_MARK) else 0
        return [first, *(match.end() for match in re.finditer(_BREAK, self.text))]

    def __len__(self) -> int:
        return len(self.starts)

    def line(self, number: int) -> str:
        """Return a line without its line break.

        Raises:
            IndexError: there is no such line.
        """
        begin, end = self._bounds(number)
        return self.text[begin:end]

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place; the end of a line, before its line break, is one.

        Raises:
            IndexError: there is no such place.
        """
        begin, end = self._bounds(line)
        if not 0 < column <= end - begin + 1:
            raise IndexError(f"line {line} has no column {column}")
        return begin + column - 1

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of the character at an offset."""
        line = max(bisect_right(self.starts, offset), 1)
        return line, offset - self.starts[line - 1] + 1

    def byte(self, offset: int) -> int:
        """Return how many bytes of UTF-8 stand before an offset."""
        if self.text.isascii():
            return offset
        line, _ = self.place(offset)
        start = self.starts[line - 1]
        return self._bytes[line - 1] + _size(self.text[start:offset])

    @cached_property
    def _bytes(self) -> list[int]:
        """Bytes before every line: summed up once, so that many findings stay cheap."""
        sums, before, at = [], 0, 0
        for start in self.starts:
            before += _size(self.text[at:start])
            sums.append(before)
            at = start
        return sums

    def _bounds(self, number: int) -> tuple[int, int]:
        if not 0 < number <= len(self.starts):
            raise IndexError(f"there is no line {number}")
        begin = self.starts[number - 1]
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        while end > begin and self.text[end - 1] in "\r\n":
            end -= 1
        return begin, end


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
