"""Variables without quotes, where a space in their value changes what is deleted or compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.linter.shell.bare_commands import BareCommand
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.shell.state import ShellState
from bai.linter.shell.words import Word

_SENSITIVE: Final = frozenset({"rm", "rmdir", "cp", "mv", "cd", "mkdir", "test", "["})
"""Programs that do something else when an argument falls into several."""
_NUMERIC: Final = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_LISTS: Final = re.compile(r"(?i:.*(?:files|list|args|opts|options|flags|dirs|paths))")
"""Names of variables that are meant to fall into several words."""


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
