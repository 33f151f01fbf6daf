"""Runs ShellCheck over command lines, where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bai.compiler.analysis.shellcheck import ARGUMENTS, Complaint, complaints, file_name

MAX_LENGTH = 20_000
"""Longer commands, in characters, are not given to it: it takes time and memory for them."""


def check(commands: Sequence[str], *, timeout: float = 20.0) -> list[list[Complaint]] | None:
    """Return what ShellCheck says of each command, by one run for all of them.

    None means that it did not answer: it is not on PATH, too old, or takes longer than `timeout`
    seconds. It is a help where it is there, so nothing is raised for that.
    """
    program = shutil.which("shellcheck")
    if program is None:
        return None
    chosen = [index for index, command in enumerate(commands) if 0 < len(command) <= MAX_LENGTH]
    found: list[list[Complaint]] = [[] for _ in commands]
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
        return complaints(done.stdout.decode(errors="replace"), commands)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
