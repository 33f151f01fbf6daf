"""Commands that hit other files than those that are meant.

Deletions do so in another folder if the `cd` before them fails, and variables without quotes where
a space in their value changes what is deleted or compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.linter.shell.called_programs import BareCommand, bare
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.shell.state import ShellState
from bai.linter.shell.words import BATCH_FOLDER, Command, Sequence, Word

_ALWAYS_THERE: Final = frozenset({"~", "/", "/tmp", ".", "..", "$HOME", "${HOME}"})  # noqa: S108
_BATCH_FOLDER: Final = re.compile(BATCH_FOLDER)
_SENSITIVE: Final = frozenset({"rm", "rmdir", "cp", "mv", "cd", "mkdir", "test", "["})
"""Programs that do something else when an argument falls into several."""
_NUMERIC: Final = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_LISTS: Final = re.compile(r"(?i:.*(?:files|list|args|opts|options|flags|dirs|paths))")
"""Names of variables that are meant to fall into several words."""


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


def unquoted_variables(text: str, called: BareCommand, state: ShellState) -> Iterator[ShellIssue]:
    """Yield the variables in the arguments of a command that need quotes.

    Args:
        text: what the command stands in.
        called: what the command runs in the end.
        state: what is known of the shell.
    """
    name, arguments = called.name, called.arguments
    if name not in _SENSITIVE:
        return
    recursive = name == "rm" and any(re.match(r"-\w*[rR]", word.value) for word in arguments)
    numbers = _compared(arguments) if name in {"test", "["} else set()
    for word in arguments:
        for variable in word.variables:
            if variable.quoted or word in numbers or state.holds_no_space(variable.name):
                continue
            if _LISTS.fullmatch(variable.name) and name not in {"cd", "test", "["}:
                continue
            written = text[variable.start : variable.end]
            quoted = f'"${{{variable.name}:?}}"' if recursive else f'"{written}"'
            message = f"a space in {written} makes {name} see several arguments"
            if name == "rm":
                message += ", and delete other things"
            hint = f"write {quoted}" + (", which also refuses an empty one" if recursive else "")
            yield ShellIssue("unquoted-variable", variable.start, variable.end, message, hint)


def _compared(arguments: list[Word]) -> set[Word]:
    """Return the arguments of a test that it takes for numbers."""
    found: set[Word] = set()
    for before, operator, after in zip(arguments, arguments[1:], arguments[2:], strict=False):
        if operator.value in _NUMERIC:
            found.update((before, after))
    return found
