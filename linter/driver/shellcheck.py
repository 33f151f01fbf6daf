"""Runs ShellCheck over command lines, where it is installed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bai.linter.shell.shellcheck import (
    ARGUMENTS,
    ShellCheckIssue,
    file_name,
    is_plain,
    issues,
)

if TYPE_CHECKING:
    from bai.linter.driver.bash import Bash
    from bai.linter.shell.grammar import ParseError

MAX_LENGTH = 20_000
"""Longer commands, in characters, are not given to it: it takes time and memory for them."""

MAX_OPENERS = 100
"""Parentheses and braces of a command that is given to it: for nested ones that stay open, its time
grows by the cube of their number."""

_AT_ONCE = 200
"""Commands of one run: more give a command line and an answer of unwieldy length."""


class ShellCheck:
    """Answers for the rules that ask ShellCheck; each command is looked at once."""

    def __init__(self) -> None:
        """Begin; nothing is run yet."""
        self._known: dict[str, Sequence[ShellCheckIssue]] = {}
        self._answers = True

    @cached_property
    def is_there(self) -> bool:
        """Whether it is installed."""
        from shutil import which

        return which("shellcheck") is not None

    def prefetch(self, commands: Iterable[str]) -> None:
        """Ask about many commands at once, which is faster than one after the other.

        Once it does not answer, it is not asked again: it is missing, or takes too long.
        """
        new = [command for command in dict.fromkeys(commands) if command not in self._known]
        # Most commands start a program with some words, and need no process that looks at them.
        todo = [command for command in new if not is_plain(command)]
        self._known.update(dict.fromkeys(new, ()))
        for at in range(0, len(todo), _AT_ONCE):
            part = todo[at : at + _AT_ONCE]
            found = check(part) if self._answers else None
            self._answers = found is not None
            self._known.update(dict.fromkeys(part, ()) | dict(zip(part, found or (), strict=False)))

    def issues(self, command: str) -> Sequence[ShellCheckIssue]:
        """Return what it says of a command; nothing if it does not answer."""
        if command not in self._known:
            self.prefetch([command])
        return self._known[command]

    def refusal(self, command: str) -> ParseError | None:
        """Return why bash refuses to read a command; None if it does not, or does not answer."""
        return self._bash.refusal(command)

    @cached_property
    def _bash(self) -> Bash:
        from bai.linter.driver.bash import Bash

        return Bash()


def check(commands: Sequence[str], *, timeout: float = 20.0) -> list[list[ShellCheckIssue]] | None:
    """Return what ShellCheck says of each command, by one run for all of them.

    None means that it did not answer: it is not on PATH, too old, or takes longer than `timeout`
    seconds. It is a help where it is there, so nothing is raised for that.
    """
    # Most runs have nothing to ask it.
    import shutil
    import subprocess
    import tempfile

    program = shutil.which("shellcheck")
    if program is None:
        return None
    chosen = [index for index, command in enumerate(commands) if _is_quick(command)]
    found: list[list[ShellCheckIssue]] = [[] for _ in commands]
    if not chosen:
        return found
    try:
        with tempfile.TemporaryDirectory(prefix="bai-shellcheck-") as folder:
            for index in chosen:
                # Surrogates can't be written; any one character in their place keeps the offsets.
                text = commands[index].encode(errors="replace")
                (Path(folder) / file_name(index)).write_bytes(text)
            done = subprocess.run(  # noqa: S603
                [program, *ARGUMENTS, *map(file_name, chosen)],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=timeout,
                check=False,
            )
        return issues(done.stdout.decode(errors="replace"), commands)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def _is_quick(command: str) -> bool:
    """Return whether ShellCheck reads a command in little time."""
    openers = command.count("(") + command.count("{")
    return 0 < len(command) <= MAX_LENGTH and openers <= MAX_OPENERS
