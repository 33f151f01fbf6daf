"""What commands demand of the file system that they write to: links, pipes, private modes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from bai.linter.shell.called_programs import SHELLS, BareCommand, bare, inner_shell
from bai.linter.shell.lexer import sequences
from bai.linter.shell.words import Command

SYMBOLIC: Final = "symbolic links"
HARD: Final = "hard links"
PIPES: Final = "named pipes"
MODES: Final = "file modes"
_WORDS: Final = re.compile(r"\b(?:ln|cp|mkfifo|mknod|chmod|venv|virtualenv|conda|mamba)\b")
_PRIVATE: Final = re.compile(r"[0-7]?[0-7][0-7]0|(?:go|og|o|a)-[rwx]+")
"""Modes of which something does not work where they have no effect: a private key, for one."""
_JOINERS: Final = frozenset({"&&", ";", "\n"})
_PYTHON: Final = re.compile(r"python(?:3(?:\.\d+)?)?")
_TAKES_VALUE: Final = frozenset({"-t", "-S", "--suffix", "-m", "-p", "--python", "--prompt", "-n"})


class Demand(NamedTuple):
    """Something that a command can't do on every file system."""

    what: str
    """One of the kinds above."""
    target: str
    """The path that it is done at, as it is written, after the `cd` before it."""
    start: int
    end: int
    """The range of the command."""


def demands(text: str) -> Iterator[Demand]:
    """Yield what a command line demands at paths that it names."""
    if not _WORDS.search(text):
        return
    for sequence in sequences(text):
        folder = ""
        for command in sequence.commands:
            called = bare(command)
            if called.name in {"cd", "pushd"}:
                folder = _entered(command, called, folder)
            elif called.name in SHELLS:
                inner = inner_shell(called.arguments).text
                for each in demands(inner.value) if inner else ():
                    yield each._replace(start=command.start, end=command.end)
            else:
                for what, path in _of(called):
                    yield Demand(what, _from(folder, path), command.start, command.end)


def _of(called: BareCommand) -> Iterator[tuple[str, str]]:
    """Yield (kind, path) of what one command demands."""
    words = [word.value for word in called.arguments]
    options = [word for word in words if word.startswith("-")]
    match called.name:
        case "ln":
            what = SYMBOLIC if _has(options, "s", "--symbolic") else HARD
            if target := _target(words):
                yield what, target
        case "cp":
            if _has(options, "s", "--symbolic-link") and (target := _target(words)):
                yield SYMBOLIC, target
            elif _has(options, "l", "--link") and (target := _target(words)):
                yield HARD, target
        case "mkfifo":
            yield from ((PIPES, path) for path in _operands(words))
        case "mknod" if words[-1:] == ["p"]:
            yield from ((PIPES, path) for path in _operands(words)[:1])
        case "chmod":
            mode, *paths = [word for word in words if not word.startswith("--")] or [""]
            if mode in {"-R", "-v", "-c", "-f"} and paths:
                mode, *paths = paths
            if _PRIVATE.fullmatch(mode):
                yield from ((MODES, path) for path in paths)
        case "virtualenv":
            yield from ((SYMBOLIC, path) for path in _operands(words)[:1])
        case "conda" | "mamba" if words[:1] == ["create"]:
            for option, path in pairwise(words):
                if option in {"-p", "--prefix"}:
                    yield SYMBOLIC, path
        case name if _PYTHON.fullmatch(name) and words[:2] == ["-m", "venv"]:
            yield from ((SYMBOLIC, path) for path in _operands(words[2:])[:1])


def _has(options: Sequence[str], letter: str, name: str) -> bool:
    short = (option for option in options if not option.startswith("--"))
    return name in options or any(letter in option for option in short)


def _operands(words: Sequence[str]) -> list[str]:
    found, rest = [], iter(words)
    for word in rest:
        if word in _TAKES_VALUE:
            next(rest, None)
        elif not word.startswith("-"):
            found.append(word)
    return found


def _target(words: Sequence[str]) -> str | None:
    """Return where `ln` or `cp` makes something: for one operand where it is called."""
    for option, value in pairwise(words):
        if option in {"-t", "--target-directory"}:
            return value
    for word in words:
        if word.startswith("--target-directory="):
            return word.partition("=")[2]
    operands = _operands(words)
    if len(operands) == 1:
        return "."
    return operands[-1] if operands else None


def _entered(command: Command, called: BareCommand, folder: str) -> str:
    """Return the folder after a `cd`, empty if that is unknown."""
    words = called.arguments
    is_plain = len(words) == 1 and not words[0].substitutes and not command.condition
    return _from(folder, words[0].value) if is_plain and command.joiner in _JOINERS else ""


def _from(folder: str, path: str) -> str:
    """Return a path joined to its folder."""
    return f"{folder}/{path}" if folder and not path.startswith(("/", "$", "~", "-")) else path
