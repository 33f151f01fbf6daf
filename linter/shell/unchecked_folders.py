"""Deletions that happen in another folder if the `cd` before them fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.linter.shell.bare_commands import bare
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.shell.state import ShellState
from bai.linter.shell.words import BATCH_FOLDER, Command, Sequence, Word

_ALWAYS_THERE: Final = frozenset({"~", "/", "/tmp", ".", "..", "$HOME", "${HOME}"})  # noqa: S108
_BATCH_FOLDER: Final = re.compile(BATCH_FOLDER)


def unchecked_folders(text: str, sequence: Sequence, state: ShellState) -> Iterator[ShellIssue]:
    """Yield each `cd` that may fail before `rm` deletes relative to the folder.

    Args:
        text: what the commands stand in.
        sequence: commands that one shell runs.
        state: what is known of the shell.
    """
    unchecked: Command | None = None
    made: set[str] = set()
    for command in sequence.commands:
        name, arguments, *_ = bare(command)
        if name == "mkdir":
            made.update(word.value for word in arguments)
        elif name in {"cd", "pushd"}:
            target = next((w.value for w in arguments if not w.value.startswith("-")), "~")
            is_sure = target in _ALWAYS_THERE or target in made or _BATCH_FOLDER.fullmatch(target)
            is_asked = command.condition or command.joiner in {"&&", "||", "|", "|&", "&"}
            is_checked = is_sure or is_asked or state.errexit < command.start
            unchecked = None if is_checked else command
        elif name == "rm" and unchecked is not None and _deletes_here(arguments):
            folder = text[unchecked.start : unchecked.end]
            deletion = text[command.start : command.end]
            message = f"if {folder} fails, {deletion} deletes elsewhere"
            place = (unchecked.start, unchecked.end)
            yield ShellIssue("cd-unchecked", *place, message, f"write {folder} && ...")
            unchecked = None


def _deletes_here(arguments: list[Word]) -> bool:
    """Return whether rm deletes much, relative to the folder it runs in."""
    recursive = any(re.match(r"-\w*[rR]|--recursive", word.value) for word in arguments)
    targets = [word.value for word in arguments if not word.value.startswith("-")]
    return any(
        not target.startswith(("/", "~", "$")) and (recursive or "*" in target)
        for target in targets
    )
