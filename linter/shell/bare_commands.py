"""The program that a command runs in the end, behind assignments, sudo, timeout and the like."""

from __future__ import annotations

import re
from typing import NamedTuple

from bai.linter.shell.words import Command, Word

ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\+?=", re.ASCII)
"""The beginning of `NAME=value` or `NAME+=value`."""
_WRAPPERS = frozenset(
    "sudo env nice ionice nohup time command builtin exec stdbuf timeout xargs numactl".split()  # noqa: SIM905
)
_TAKES_VALUE = frozenset({"-u", "-g", "-n", "-k", "-s", "-c", "-I", "-L", "-P", "-d"})
_NUMBER = re.compile(r"\d+(?:\.\d+)?[smhd]?")


class BareCommand(NamedTuple):
    """A command without the assignments and the wrappers (sudo, timeout, ...) before it."""

    name: str
    arguments: list[Word]
    by_xargs: bool
    """Whether xargs runs it, so that a pipe does not become its standard input."""
    start: int
    """Where the name stands."""


def bare(command: Command) -> BareCommand:
    """Return a command without what stands before its name; the name is empty without one."""
    words = list(reversed(command.words))
    wrapped = by_xargs = False
    while words:
        value = words[-1].value
        if ASSIGNMENT.match(value):
            words.pop()
        elif wrapped and value.startswith("-"):
            words.pop()
            if value in _TAKES_VALUE and words:
                words.pop()
        elif wrapped and _NUMBER.fullmatch(value):
            words.pop()
        elif (name := value.rsplit("/", 1)[-1]) in _WRAPPERS:
            words.pop()
            wrapped = True
            by_xargs |= name == "xargs"
        else:
            start = words.pop().start
            return BareCommand(name, words[::-1], by_xargs, start)
    return BareCommand("", [], by_xargs, command.start)
