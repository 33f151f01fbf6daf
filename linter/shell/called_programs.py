"""Programs that commands start: behind assignments, sudo, timeout and the like, and shells.

A shell has a text and options, as in `bash -euo pipefail -c TEXT`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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


SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})
_SHELL_TAKES_VALUE = frozenset({"--rcfile", "--init-file"})


class InnerShell(NamedTuple):
    """A shell that a command starts."""

    text: Word | None = None
    """What follows `-c`; None where the shell reads a file or its input."""
    pipefail: bool = False
    """Whether it starts with the option `pipefail`."""
    errexit: bool = False
    """Whether it starts with the option `errexit`."""


def inner_shell(arguments: Sequence[Word]) -> InnerShell:
    """Return the shell that these arguments start."""
    is_text = False
    options: set[str] = set()
    rest = iter(arguments)
    for word in rest:
        value = word.value
        if value in _SHELL_TAKES_VALUE:
            next(rest, None)
        elif value in {"-", "--"} or not value.startswith(("-", "+")):
            first = next(rest, None) if value in {"-", "--"} else word
            text = first if is_text else None
            return InnerShell(text, "pipefail" in options, "errexit" in options)
        elif not value.startswith("--"):
            is_set = value.startswith("-")
            is_text |= is_set and "c" in value
            if is_set and "e" in value:
                options.add("errexit")
            # Each `o` and `O` takes the next word.
            for letter in value:
                if letter in "oO" and (named := next(rest, None)) and is_set:
                    options.add(named.value)
    return InnerShell()
