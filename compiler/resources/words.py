"""Command lines that are made of a list of words, each quoted as far as a shell needs it.

Two readers get the words back: a shell, of command lines, and the toolkits' own reader, of
arguments (`bai.runtime.toolkits.words`). For both, Batch AI's variables in a word stand for their
values, and nothing else in it has a meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bai.specs.findings import Span

_BARE: Final = re.compile("[A-Za-z0-9_@%+=:,./\u2010-\u2015\u2212-]+")
"""Words that mean themselves everywhere in a line but at its beginning.

The dashes of word processors are among them, so that rules see that an option begins with one.
"""
_VARIABLE: Final = re.compile(r"\$(?:AZ_BATCH\w*|\{AZ_BATCH\w*\})", re.ASCII)
_ESCAPED: Final = frozenset('"\\`$')
"""What a backslash protects between double quotes."""
_RESERVED: Final = frozenset(
    "case coproc do done elif else esac fi for function if in select then time until while".split()  # noqa: SIM905
)
"""Words that a shell reads in another way where a command begins."""

_Pieces = list[tuple[str, int]]
"""A quoted word in pieces: the text of each, and the character of the word that it stands for."""


class Word(NamedTuple):
    """One word of a line."""

    start: int
    """Where it begins in the line."""
    end: int
    value: str
    """The word itself, without quotes."""
    origins: Sequence[int]
    """For each character between `start` and `end`, which character of the value it stands for."""
    span: Span
    """Where it stands in the user's file."""
    substitutes: tuple[str, ...] = ()
    """What stands in its value in place of references to parameters."""


class Line(NamedTuple):
    """A command line, and the words that it was made of."""

    text: str
    words: Sequence[Word]

    def within(self, start: int, end: int) -> Sequence[Word]:
        """Return the words that a range of the text's characters is in, or touches."""
        return [word for word in self.words if word.start < end and start < word.end]


def line_of(words: Sequence[tuple[str, Span, tuple[str, ...]]], *, is_command: bool) -> Line:
    """Return the line of some words.

    Args:
        words: each with its place in the user's file, and with what stands in it in place of
            references to parameters.
        is_command: whether a shell reads the first of them as the name of a program.
    """
    found: list[Word] = []
    text = ""
    for number, (value, span, substitutes) in enumerate(words):
        pieces = _quoted(value, is_program=is_command and number == 0)
        written = "".join(piece for piece, _ in pieces)
        start = len(text) + (number > 0)
        origins = [at for piece, at in pieces for _ in piece]
        text += f"{' ' if number else ''}{written}"
        found.append(Word(start, len(text), value, origins, span, substitutes))
    return Line(text, found)


def variables_as_text(value: str) -> Iterator[tuple[int, str]]:
    """Iterate over (place, name) of the variables in a word that are not Batch AI's.

    They stay the texts that they are.
    """
    for match in re.finditer(r"\$\{?([A-Za-z_]\w*)", value, re.ASCII):
        if not _VARIABLE.match(value, match.start()):
            yield match.start(), match[1]


def _quoted(value: str, *, is_program: bool) -> _Pieces:
    last = max(len(value) - 1, 0)
    is_special = is_program and ("=" in value or value in _RESERVED)
    if _BARE.fullmatch(value) and not is_special:
        return [(value[at], at) for at in range(len(value))]
    if "'" not in value and not _VARIABLE.search(value):
        return [("'", 0), *((mark, at) for at, mark in enumerate(value)), ("'", last)]
    pieces: _Pieces = [('"', 0)]
    at = 0
    while at < len(value):
        if match := _VARIABLE.match(value, at):
            pieces += [(value[place], place) for place in range(at, match.end())]
            at = match.end()
            continue
        pieces.append((f"\\{value[at]}" if value[at] in _ESCAPED else value[at], at))
        at += 1
    return [*pieces, ('"', last)]
