"""Which expansions give one word: numbers, and what some commands print."""

from __future__ import annotations

import re
from collections.abc import Callable

_MAX_LENGTH = 500
"""Longer commands, in characters, are not looked at."""
_DEPTH = 3
"""How many substitutions within each other are looked at."""

_NUMBER = re.compile(
    r"\$\(\((?:[^()]|\([^()]*\))*+\)\)|\$[?#!$]|\$\{(?:[?#!$]|#\w+(?:\[[@*]\])?|PIPESTATUS\[[^\]]*\])\}"
)
"""Arithmetic, `$?`, `$#`, `$!`, `$$`, `${#NAME}`, ..."""
_SUBSTITUTION = re.compile(r"\$\(([^()`]*)\)|`([^()`]*)`")
_UNKNOWN = re.compile(r"\$\(|`|\$[0-9@*]|\$\{[^A-Za-z_]")
"""Expansions that are no variables with names."""
_NAME = re.compile(r"\$\{?([A-Za-z_]\w*)", re.ASCII)

_PRINTS_WORD = re.compile(r"\b(?:mktemp|nproc|hostname|whoami|pwd)\b")
_BETWEEN = re.compile(r"\|\||&&|;|\n")
_ERRORS = re.compile(r"\s*2>\s*(?:/dev/null|&1)\s*")
_ONE_WORD = re.compile(
    r"""
      wc\s+-[clmwL](?:\s*<.*)?
    | grep\s(?:.*\s)?(?:-\w*c\w*|--count)\s.*
    | date\s(?:.*\s)?["']?\+["']?(?!\S*%c)[^\s"']+["']?
    | id\s+-[ugn]+(?:\s.*)? | uname(?:\s+-[mnrs])? | arch | uuidgen | expr\s.* | getconf\s.*
    | lsb_release\s+-\w*s\w* | git\s+(?:rev-parse|describe)\b.* | stat\s+-c\s*["']?%\w["']?\s.*
    | which\s+\S+ | command\s+-v\s+\S+ | echo\s+[^\s$`]+ | printf\s+["']?%0?\d*[dxX]["']?\s+\S+
    | awk\s+'\s*\{\s*print\s+\$(?:\d+|NF)\s*;?\s*\}\s*' | cut\s+-d\s*(?:'\ '|"\ ")\s*-f\s*\d+
    | cd\b.* | true
    """,
    re.VERBOSE,
)
"""The last command of a pipe that prints one word, or nothing."""
_PARTS_OF_PATHS = re.compile(r"(?:basename|dirname|realpath|readlink)\s.*")
"""Commands that print a part of what they get."""


def without_numbers(text: str) -> str:
    """Return `text` without the expansions that are always numbers."""
    return _NUMBER.sub("0", text)


def print_words(word: str, is_spaceless: Callable[[str], bool]) -> bool:
    """Return whether all expansions in a word, but for variables with names, give one word.

    `is_spaceless` returns for the name of a variable whether it holds no space.
    """
    rest = without_numbers(word)

    def known(match: re.Match[str]) -> str:
        command = match[1] if match[1] is not None else match[2]
        return "0" if _prints_word(command, is_spaceless) else match[0]

    for _ in range(_DEPTH):
        rest = _SUBSTITUTION.sub(known, rest)
    return not _UNKNOWN.search(rest)


def _prints_word(command: str, is_spaceless: Callable[[str], bool]) -> bool:
    if len(command) > _MAX_LENGTH:
        return False
    if _PRINTS_WORD.search(command):
        return True
    for part in _BETWEEN.split(_ERRORS.sub(" ", command)):
        last = part.rpartition("|")[2].strip()
        if _PARTS_OF_PATHS.fullmatch(last):
            if _UNKNOWN.search(last) or not all(map(is_spaceless, _NAME.findall(last))):
                return False
        elif not _ONE_WORD.fullmatch(last):
            return False
    return True
