"""Shells that commands start: the text and the options in `bash -euo pipefail -c TEXT`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bai.linter.shell.words import Word

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})
_TAKES_VALUE = frozenset({"--rcfile", "--init-file"})


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
        if value in _TAKES_VALUE:
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
