"""Places in shell lines, and texts quoted for them.

What is put into a command line must stay one word, or a part of one, whatever characters it has:
how depends on the quotes around its place.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Final

from bai.specs.reference_groups import TO_VARIABLES, one_of


class Place(Enum):
    """What stands around a place in a shell line."""

    BARE = auto()
    DOUBLE = auto()
    """Double quotes."""
    SINGLE = auto()
    """Single quotes."""
    ANSI = auto()
    """`$'...'`, in which backslashes escape."""
    COMMENT = auto()
    HERE = auto()
    """A here-document, in which variables are expanded."""
    RAW = auto()
    """A here-document whose delimiter has quotes: text as it is."""


_VARIABLE: Final = re.compile(
    rf"\$\{{{one_of(TO_VARIABLES)}\.[^{{}}]*\}}"
    r"|\$AZ_BATCHAI_\w+|\$\{AZ_BATCHAI_\w+\}"
)
"""What keeps its meaning in a value: short references, and Batch AI's variables."""
_SPECIAL: Final = re.compile(r"[\\\"$`!]+")
"""Characters that mean something in double quotes."""
_TOKEN: Final = re.compile(
    r"\\.|\$'|\$\(|<<<|<<(?P<tabs>-?)[ \t]*(?P<word>[\w-]+|'[^'\n]*'|\"[^\"\n]*\"|\\\w+)"
    r"|[\"'`()\n]|(?:(?<=[\s;|&(])|^)#",
    re.DOTALL,
)
_IN_DOUBLE: Final = re.compile(r"\\.|\$\(|[\"`]", re.DOTALL)
_ENDS: Final = {
    Place.SINGLE: re.compile(r"'"),
    Place.ANSI: re.compile(r"(?<!\\)(?:\\\\)*'"),
    Place.COMMENT: re.compile(r"(?=\n)"),
}
"""What ends a place in which nothing else has a meaning."""


def places(line: str, references: Sequence[tuple[int, int]]) -> list[Place]:
    """Return the place of each reference in a shell line.

    Args:
        line: the line, which may have line breaks.
        references: where each begins and ends, in order; what is in them has no meaning here.
    """
    scanner = _Scanner(line, references)
    scanner.run()
    return scanner.found


class _Scanner:
    """Reads a line up to its last reference."""

    def __init__(self, line: str, references: Sequence[tuple[int, int]]) -> None:
        self._line = line
        self._todo = list(references)
        self._at = 0
        self._open: list[str] = []
        """What the quotes and parentheses around the current place end with, innermost last."""
        self._documents: list[tuple[str, bool, bool]] = []
        """Delimiter, whether tabs before it count, and whether it was quoted."""
        self.found: list[Place] = []

    def run(self) -> None:
        """Find the places."""
        while self._todo:
            in_double = self._open[-1:] == ['"']
            pattern = _IN_DOUBLE if in_double else _TOKEN
            token = self._take(pattern, Place.DOUBLE if in_double else Place.BARE)
            if token is None:
                return
            self._enter(token, in_double=in_double)

    def _take(self, pattern: re.Pattern[str], place: Place) -> re.Match[str] | None:
        """Move behind the next match; references before it stand in the given place."""
        while True:
            token = pattern.search(self._line, self._at)
            begin = token.start() if token else len(self._line)
            if self._todo and self._todo[0][0] <= begin:
                _, self._at = self._todo.pop(0)
                self.found.append(place)
                continue
            if token:
                self._at = token.end()
            return token

    def _enter(self, token: re.Match[str], *, in_double: bool) -> None:
        text = token[0]
        if self._open and text == self._open[-1]:
            self._open.pop()
        elif text in ('"', "`"):
            self._open.append(text)
        elif text in ("(", "$("):
            self._open.append(")")
        elif in_double:
            return
        elif text == "'":
            self._take(_ENDS[Place.SINGLE], Place.SINGLE)
        elif text == "$'":
            self._take(_ENDS[Place.ANSI], Place.ANSI)
        elif text == "#":
            self._take(_ENDS[Place.COMMENT], Place.COMMENT)
        elif word := token["word"]:
            is_quoted = word[0] in "'\"\\"
            delimiter = word.strip("'\"").removeprefix("\\")
            self._documents.append((delimiter, bool(token["tabs"]), is_quoted))
        elif text == "\n":
            for delimiter, has_tabs, is_quoted in self._documents:
                tabs = r"\t*" if has_tabs else ""
                end = re.compile(f"^{tabs}{re.escape(delimiter)}$", re.MULTILINE)
                self._take(end, Place.RAW if is_quoted else Place.HERE)
            self._documents.clear()


def quoted(text: str, place: Place) -> str:
    """Return a text quoted for its place in a shell line.

    Short references (`${mounts.data}`) and Batch AI's variables in it keep their meaning; all else
    stands for itself.
    """
    return "".join(_quoted(part, place, is_variable=is_it) for part, is_it in _parts(text))


def _parts(text: str) -> Iterable[tuple[str, bool]]:
    """Return the parts of a text, each with whether it is a variable; at least one."""
    if "$" not in text:
        return [(text, False)]
    return list(_split(text)) or [(text, False)]


def _split(text: str) -> Iterator[tuple[str, bool]]:
    at = 0
    for match in _VARIABLE.finditer(text):
        if at < match.start():
            yield text[at : match.start()], False
        # With braces, it ends where it ends here.
        yield match[0] if match[0][1] == "{" else f"${{{match[0][1:]}}}", True
        at = match.end()
    if at < len(text):
        yield text[at:], False


def _quoted(text: str, place: Place, *, is_variable: bool) -> str:
    match place:
        case Place.BARE:
            return f'"{text}"' if is_variable else shlex.quote(text)
        case Place.DOUBLE:
            # Single quotes for what double ones don't protect: all that split words agree on these.
            return text if is_variable else _SPECIAL.sub(lambda found: f"\"'{found[0]}'\"", text)
        case Place.SINGLE:
            return f"'\"{text}\"'" if is_variable else text.replace("'", "'\"'\"'")
        case Place.ANSI:
            escaped = text.replace("\\", "\\\\").replace("'", "\\'")
            return f"'\"{text}\"$'" if is_variable else escaped
        case Place.HERE:
            return text if is_variable else re.sub(r"[\\$`]", r"\\\g<0>", text)
        case Place.COMMENT:
            return text.replace("\n", " ")
        case Place.RAW:
            return text
