"""Runs ShellCheck and bash over command lines, where they are installed."""

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
    from bai.linter.shell.grammar import ParseError

MAX_LENGTH = 20_000
"""Longer commands, in characters, are not given to it: it takes time and memory for them."""

MAX_OPENERS = 100
"""Parentheses and braces of a command that is given to it: for nested ones that stay open, its time
grows by the cube of their number."""

_AT_ONCE = 200
"""Commands of one run: more give a command line and an answer of unwieldy length."""

_TIMEOUT = 20.0
"""Seconds after which a run is given up."""

_BASH_TIMEOUT = 5.0
"""The same for bash, which answers at once."""


class ShellCheck:
    """Runs ShellCheck, and bash for syntax errors; results are kept by command."""

    def __init__(self) -> None:
        """Start without results; nothing is run yet."""
        self._known: dict[str, Sequence[ShellCheckIssue]] = {}
        self._runs: list[Run] = []
        self._answers = True
        self._parse_errors: dict[str, ParseError | None] = {}
        self._bash_answers = True

    @cached_property
    def program(self) -> str | None:
        """Where it is installed; None if it is not."""
        from shutil import which

        return which("shellcheck")

    def prefetch(self, commands: Iterable[str]) -> None:
        """Start checking many commands at once, which is faster than one after the other.

        Only `issues` waits for the results. Once ShellCheck has given none, because it is missing
        or takes too long, it is not started again.
        """
        new = [command for command in dict.fromkeys(commands) if command not in self._known]
        self._known.update(dict.fromkeys(new, ()))
        # Most commands are a program with plain words, and need no check.
        todo = [command for command in new if not is_plain(command) and _is_quick(command)]
        if todo and self._answers and self.program:
            parts = (todo[at : at + _AT_ONCE] for at in range(0, len(todo), _AT_ONCE))
            self._runs += [Run(self.program, part) for part in parts]

    def issues(self, command: str) -> Sequence[ShellCheckIssue]:
        """Return ShellCheck's issues of a command, none if it does not answer."""
        if command not in self._known:
            self.prefetch([command])
        while self._runs:
            run = self._runs.pop()
            found = run.answer() if self._answers else None
            if found is None:
                self._answers = False
                run.stop()
            else:
                self._known.update(zip(run.commands, found, strict=True))
        return self._known[command]

    def stop(self) -> None:
        """End the runs that were started but not needed."""
        while self._runs:
            self._runs.pop().stop()

    def parse_error(self, command: str) -> ParseError | None:
        """Return why bash refuses to read a command; None if it reads it, or does not answer.

        The command is not run, and no settings are read. Once bash does not answer in time, it is
        not asked again.
        """
        if command not in self._parse_errors:
            self._parse_errors[command] = self._asked(command) if self._bash_answers else None
        return self._parse_errors[command]

    def _asked(self, command: str) -> ParseError | None:
        # Most runs do not need bash.
        import os
        import shutil
        import subprocess
        import sys

        from bai.linter.shell.bash_syntax import BASH_ARGUMENTS, parse_error_in

        # On other systems, bash is older than on the nodes, or a foreign program.
        program = shutil.which("bash") if sys.platform == "linux" else None
        self._bash_answers = program is not None
        if program is None or len(command) > MAX_LENGTH or "\0" in command:
            return None
        try:
            done = subprocess.run(  # noqa: S603
                [program, *BASH_ARGUMENTS],
                # BASH_ENV and exported functions stay outside, and messages are English.
                env={"LC_ALL": "C", "PATH": os.environ.get("PATH", "")},
                input=command.encode(errors="replace"),
                capture_output=True,
                timeout=_BASH_TIMEOUT,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            self._bash_answers = False
            return None
        if done.returncode != 2:  # that of a syntax error
            return None
        return parse_error_in(done.stderr.decode(errors="replace"), command)


class Run:
    """One process that checks some commands.

    ShellCheck is optional. If it is too old, takes too long or fails, there is no answer, and
    nothing is raised.
    """

    def __init__(self, program: str, commands: Sequence[str]) -> None:
        """Start the process; if that fails, it has no answer."""
        # Most runs of bai do not need ShellCheck.
        import subprocess
        import tempfile

        self.commands = commands
        self._process = None
        self._folder = tempfile.TemporaryDirectory(prefix="bai-shellcheck-")
        try:
            for index, command in enumerate(commands):
                # Surrogates can't be written; any one character in their place keeps the offsets.
                text = command.encode(errors="replace")
                (Path(self._folder.name) / file_name(index)).write_bytes(text)
            self._process = subprocess.Popen(  # noqa: S603
                [program, *ARGUMENTS, *map(file_name, range(len(commands)))],
                cwd=self._folder.name,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            self._folder.cleanup()

    def answer(self, timeout: float = _TIMEOUT) -> list[list[ShellCheckIssue]] | None:
        """Wait for the process, and return the issues of each command; None without an answer."""
        from subprocess import TimeoutExpired

        if self._process is None:
            return None
        try:
            written, _ = self._process.communicate(timeout=timeout)
            return issues(written.decode(errors="replace"), self.commands)
        except (OSError, ValueError, TimeoutExpired):
            return None
        finally:
            self.stop()

    def stop(self) -> None:
        """End the process if it still runs, and remove its files."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
            self._folder.cleanup()


def _is_quick(command: str) -> bool:
    """Return whether ShellCheck checks a command fast enough."""
    openers = command.count("(") + command.count("{")
    return 0 < len(command) <= MAX_LENGTH and openers <= MAX_OPENERS
