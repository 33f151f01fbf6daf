"""Words and shell syntax in the arguments of a script, which no shell runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_QUOTES: Final = frozenset("'\"\\")
_WORD: Final = re.compile(r"""(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+""", re.DOTALL)
_PIECE: Final = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^'"\\]+""", re.DOTALL)
"""A quoted part, or the rest up to one."""
_SUBSTITUTION: Final = re.compile(r"(?<![\\$])\$\((?!\s*AZ_BATCH)[A-Za-z(][^()]*\)?")
_BACKTICKS: Final = re.compile(r"`[a-z][^`]*`")
_REDIRECTION: Final = re.compile(r"(?:[12&]?>>?|<)")
_INTO_FILE: Final = re.compile(r"[12&]?>>?(?P<file>[^<>&]+)")
_FILE: Final = re.compile(r"[A-Za-z$.~][^/\n]*/.*|/.+|[\w$-]+\.[A-Za-z]\w*|\w*(?:log|out|txt)")
_FILTERS: Final = frozenset(
    "awk bash cat cut grep gzip head less logger python python3 sed sh sort split tail tee tr ts "  # noqa: SIM905
    "uniq wc xargs".split()
)
"""Programs that stand behind a pipe."""
_COMMANDS: Final = _FILTERS | frozenset(
    "cd chmod conda cp curl date echo exit export find git kill ls mkdir mpirun mv pip pip3 printf "  # noqa: SIM905
    "rm rsync scp sleep sudo tar touch true wait wget".split()
)
"""Programs that stand behind a semicolon."""


class ShellSyntax(NamedTuple):
    """A part of the arguments that only a shell would know."""

    start: int
    end: int
    kind: str
    """`output`, `input`, `command` or `value`: what it was to change or to add."""


def shell_syntax(text: str) -> ShellSyntax | None:
    """Return the first part of arguments that was surely meant for a shell; None without one.

    Args:
        text: arguments whose quotes are closed. What is quoted is no syntax.
    """
    return min((*_between_words(text), *_substitutions(text)), default=None)


def _between_words(text: str) -> Iterator[ShellSyntax]:
    """Iterate over operators that are words of their own, or stand at the edge of one."""
    words = list(_WORD.finditer(text))
    for index, match in enumerate(words):
        word = match[0]
        if not ("|" in word or "&" in word or ";" in word or ">" in word or word == "<"):
            continue
        before = words[index - 1][0] if index else ""
        after = words[index + 1][0] if index + 1 < len(words) else ""
        if kind := _kind(word, before, after):
            yield ShellSyntax(match.start(), match.end(), kind)
        elif word.endswith(";") and _QUOTES.isdisjoint(word) and after in _COMMANDS:
            yield ShellSyntax(match.end() - 1, match.end(), "command")


def _kind(word: str, before: str, after: str) -> str | None:
    """Return what an operator was to do; None if the word may be an argument."""
    if word in ("2>&1", "1>&2", ">&2"):
        return "output"
    if _REDIRECTION.fullmatch(word) and _FILE.fullmatch(after):
        return "input" if word == "<" else "output"
    if (match := _INTO_FILE.fullmatch(word)) and _FILE.fullmatch(match["file"]):
        return "output"
    if (word in ("|", "|&") and after in _FILTERS) or word.removeprefix("|") in _FILTERS:
        return "output"
    if word in ("&&", "||") and after and not after.startswith("-"):
        return "command"
    if word == "&" and not after and not before.startswith("-"):
        return "command"
    return None


def _substitutions(text: str) -> Iterator[ShellSyntax]:
    """Iterate over substitutions: commands whose output was meant as an argument."""
    if "$(" not in text and "`" not in text:
        return
    for piece in _PIECE.finditer(text):
        if piece[0].startswith("'"):
            continue
        for match in _SUBSTITUTION.finditer(text, piece.start(), piece.end()):
            yield ShellSyntax(match.start(), match.end(), "value")
        if not piece[0].startswith('"'):
            for match in _BACKTICKS.finditer(text, piece.start(), piece.end()):
                yield ShellSyntax(match.start(), match.end(), "value")


_CLOSED: Final = re.compile(r"""(?:[^\\'"]++|\\.|'[^']*+'|"(?:[^\\"]++|\\.)*+")*+""", re.DOTALL)
"""A text up to what is left open in it."""


def open_quote(text: str) -> tuple[int, str] | None:
    """Return the offset and the mark of what is left open in `text`; None if nothing is.

    That is a quote, or a backslash at the end, which escapes nothing.
    """
    match = _CLOSED.match(text)
    end = match.end() if match else 0
    return (end, text[end]) if end < len(text) else None
