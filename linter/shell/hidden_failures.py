"""Failures that nothing reports: of commands before a pipe, and of work before a last `echo`."""

from __future__ import annotations

import re
from typing import Final

from bai.linter.shell.called_programs import SHELLS, BareCommand, bare
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.shell.state import ShellState
from bai.linter.shell.words import Command, Sequence

_PYTHONS: Final = frozenset({"python", "python2", "python3"})
_DOWNLOADERS: Final = frozenset({"curl", "wget"})
_INTERPRETERS: Final = {
    **dict.fromkeys(SHELLS, "c"),
    **dict.fromkeys(_PYTHONS, "cm"),
    "perl": "eE",
}
"""What runs its input, and succeeds with nothing of it or half -> the letters of options with
which it runs something else."""
_LAUNCHERS: Final = frozenset({"mpirun", "mpiexec", "horovodrun", "torchrun"})
_BUILDERS: Final = frozenset(
    {"make", "cmake", "nvcc", "pip", "pip3", "conda", "apt", "apt-get", "docker"}
)
_WORKERS: Final = _PYTHONS | _LAUNCHERS | _BUILDERS
_LOGGERS: Final = frozenset({"tee", "ts", "logger", "awk", "gawk", "sed"})
"""What the output of work is piped to only to be kept or changed."""
_FILTERS: Final = frozenset({"tail", "grep", "egrep", "cat", "tr"})
"""What may also answer a question about the output, so that only the output of a script counts."""
_GREP_QUESTION: Final = re.compile(
    r"-(?=\w*[cqlLm])\w+|--(?:count|quiet|silent|files-.*|max-count.*)"
)
"""Options of grep by which it answers one."""
_INFORMATION: Final = frozenset({"--version", "-V", "--help", "-h"})
"""Options with which a program does no work."""
_REPORTERS: Final = frozenset({"echo", "printf", "date"})
"""What only says something, and succeeds."""


def failure_hidden_at_end(text: str, sequence: Sequence, state: ShellState) -> ShellIssue | None:
    """Return the work whose failure is hidden by a report that always succeeds; None without any.

    Args:
        text: the command line.
        sequence: its outermost commands.
        state: what is known of the shell.
    """
    commands = list(sequence.commands)
    last = commands[-1] if commands else None
    while commands and _reports(commands[-1]):
        commands.pop()
    if not commands or last is None or commands[-1] is last:
        return None
    work = commands[-1]
    name = bare(work).name
    works = name in _PYTHONS or name in _LAUNCHERS or name.endswith(".py")
    is_asked = work.condition or work.compound or state.errexit < work.start
    if not works or is_asked or work.joiner not in {";", "\n"}:
        return None
    if "$?" in text or "trap" in text or "PIPESTATUS" in text:
        return None
    return ShellIssue(
        "end-hides-failure",
        work.start,
        last.end,
        f"if {name} fails, {bare(last).name} hides it, and the job succeeds",
        "put `set -e;` before it, or && between them",
    )


def failure_hidden_by_pipe(
    text: str, pipeline: list[Command], sequence: Sequence, state: ShellState
) -> ShellIssue | None:
    """Return the command of a pipeline whose failure the last one hides; None without any.

    Args:
        text: the command line.
        pipeline: commands that pipes join.
        sequence: what they are a part of.
        state: what is known of the shell.
    """
    if len(pipeline) < 2 or sequence.substitution or "PIPESTATUS" in text:
        return None
    if pipeline[0].condition or state.pipefail < pipeline[0].start:
        return None
    called = [bare(command) for command in pipeline]
    last = called[-1].name
    succeeds = _succeeds_without_input(called[-1])
    for command, (name, arguments, *_) in zip(pipeline[:-1], called, strict=False):
        first = command.words[0].value if command.words else ""
        works = name in _WORKERS or first.startswith("./") or (name in SHELLS and arguments)
        informs = any(word.value in _INFORMATION for word in arguments)
        is_kept = last in _LOGGERS or (last in _FILTERS and _filters(command, pipeline[-1]))
        if (name in _DOWNLOADERS and succeeds) or (works and is_kept and not informs):
            return ShellIssue(
                "pipe-hides-failure",
                command.start,
                pipeline[-1].end,
                f"if {name} fails, the pipe to {last} hides it and the command goes on",
                "put `set -o pipefail;` before it",
            )
    return None


def _succeeds_without_input(called: BareCommand) -> bool:
    """Return whether a command succeeds if what it reads breaks off, or is nothing at all.

    tar, cpio, gunzip and their like fail; unzip reads no input, and without arguments shows help.
    """
    name, arguments = called.name, called.arguments
    if name not in _INTERPRETERS:
        return name == "tee" or (name == "unzip" and not arguments)
    rest = iter(arguments)
    for word in rest:
        value = word.value
        if value in {"-", "-s"}:
            return True
        if not value.startswith(("-", "+")):
            return False  # a script, which does with its input what it likes
        if not value.startswith("--") and not set(value).isdisjoint(_INTERPRETERS[name]):
            return False
        if name in SHELLS and value[-1] in "oO":
            next(rest, None)
    return True


def _filters(work: Command, last: Command) -> bool:
    """Return whether a script's output is only shortened, and nothing depends on what is in it."""
    runs_script = any(
        word.value.endswith(".py") and not word.value.endswith("setup.py") for word in work.words
    )
    asks = any(_GREP_QUESTION.fullmatch(word.value) for word in last.words)
    return runs_script and not asks and last.joiner not in {"&&", "||"} and not last.redirections


def _reports(command: Command) -> bool:
    """Return whether a command only says something, and succeeds."""
    if command.compound or command.condition or command.joiner not in {"", ";", "\n"}:
        return False
    return bare(command).name in _REPORTERS
