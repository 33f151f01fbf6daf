"""Records of shell text: words with positions, commands, and sequences of commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

BATCH_FOLDER = (
    r"\$(?:\{AZ_BATCH\w*\}|AZ_BATCH\w*)(?:(?:(?<=MOUNT_ROOT)|(?<=MOUNT_ROOT\}))/[-\w.]+)?/?"
)
"""A pattern for folders that Batch AI makes, and for mounts in them: cd to them can't fail."""


class Variable(NamedTuple):
    """`$NAME` or `${NAME...}` in a word: the range of characters, and whether quotes protect it."""

    start: int
    end: int
    name: str
    quoted: bool


class Word:
    """One word of a command: `start` and `end` count characters, quotes included."""

    __slots__ = ("end", "parts", "quoted", "start", "substitutes", "variables")

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start
        self.parts: list[str] = []
        self.variables: list[Variable] = []
        self.quoted = False
        self.substitutes = False
        """Whether the word holds `$(...)`, backquotes, `$1`, `$?` or arithmetic."""

    @property
    def value(self) -> str:
        """The text without its quotes; `$()` stands for a substitution."""
        return "".join(self.parts)


class Redirection(NamedTuple):
    """An operator such as `>` with the word behind it; `start` counts characters."""

    start: int
    operator: str
    target: Word


class Command:
    """A simple command: its words, its redirections, and what joins it to the next one."""

    __slots__ = (
        "compound",
        "condition",
        "end",
        "joiner",
        "reads",
        "redirections",
        "start",
        "words",
    )

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start
        self.words: list[Word] = []
        self.redirections: list[Redirection] = []
        self.joiner = ""
        """`;`, `&`, `&&`, `||`, `|`, `|&`, a line's end, or nothing after the last one."""
        self.condition = False
        """Whether `if`, `while`, `until` or `!` asks how it ends."""
        self.reads = False
        """Whether its standard input is redirected."""
        self.compound = False
        """Whether it is a subshell or ends a block, which may have no words of its own."""


class Heredoc(NamedTuple):
    """A here-document: where `<<EOF` stands, the operator, and the line that ends it."""

    start: int
    end: int
    operator: str
    delimiter: str


class Sequence(NamedTuple):
    """Commands that one shell runs one after the other."""

    commands: list[Command]
    substitution: bool
    """Whether what they print becomes a part of a word."""


def pipelines(sequence: Sequence) -> Iterator[list[Command]]:
    """Yield the commands of a sequence in groups that pipes join."""
    group: list[Command] = []
    for command in sequence.commands:
        group.append(command)
        if command.joiner not in {"|", "|&"}:
            yield group
            group = []
    if group:
        yield group
