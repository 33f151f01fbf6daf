"""Asks bash whether it can parse a command line. Nothing is run, and no settings are read."""

from __future__ import annotations

from bai.linter.shell.bash_syntax import ARGUMENTS, parse_error_in
from bai.linter.shell.grammar import ParseError

MAX_LENGTH = 20_000
"""Longer commands, in characters, are not given to it."""


class Bash:
    """Runs the bash of this machine; results are kept by command."""

    def __init__(self) -> None:
        """Start without results; nothing is run yet."""
        self._known: dict[str, ParseError | None] = {}
        self._answers = True

    def parse_error(self, command: str, *, timeout: float = 5.0) -> ParseError | None:
        """Return why bash refuses to read a command; None if it reads it, or does not answer.

        Once it does not answer within `timeout` seconds, it is not asked again.
        """
        if command not in self._known:
            self._known[command] = self._asked(command, timeout) if self._answers else None
        return self._known[command]

    def _asked(self, command: str, timeout: float) -> ParseError | None:
        # Most runs do not need bash.
        import os
        import shutil
        import subprocess
        import sys

        # On other systems, bash is older than on the nodes, or a foreign program.
        program = shutil.which("bash") if sys.platform == "linux" else None
        self._answers = program is not None
        if program is None or len(command) > MAX_LENGTH or "\0" in command:
            return None
        try:
            done = subprocess.run(  # noqa: S603
                [program, *ARGUMENTS],
                # BASH_ENV and exported functions stay outside, and messages are English.
                env={"LC_ALL": "C", "PATH": os.environ.get("PATH", "")},
                input=command.encode(errors="replace"),
                capture_output=True,
                timeout=timeout,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            self._answers = False
            return None
        if done.returncode != 2:  # that of a syntax error
            return None
        return parse_error_in(done.stderr.decode(errors="replace"), command)
