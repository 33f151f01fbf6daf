"""BAI709: dashes, quotes and spaces in commands are those of the keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bai.linter.facts.command_lines import command_lines
from bai.linter.facts.toolkits import arguments
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import EVERY_TEXT, rule, without
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.violation import Range, Violation
from bai.specs.findings import Path
from bai.specs.words import CURLY_QUOTES

_PROMPTS: Final = ("$ ", "!", "%")
"""How a command line may begin that was copied from a terminal or a notebook."""
_QUOTED: Final = f"([{CURLY_QUOTES}]).+([{CURLY_QUOTES}])"
"""A text in quotes of a word processor."""


@rule(
    "BAI709",
    accepts={EVERY_TEXT: without(r"[^\x00-\x7f]"), "commandLine": without(r"^[$!%]|\n\$ ")},
)
def pasted_characters(resource: ResourceView) -> Iterator[Violation]:
    is_ascii = resource.joined.isascii()
    if is_ascii and not any(mark in resource.joined for mark in _PROMPTS):
        return
    commands = set[Path]()
    for path, text, is_command in _texts(resource):
        commands.add(path)
        for one in pasted(text, is_command=is_command):
            yield Violation(Range(path, one.start, one.end), one.message, one.hint, edits=one.edits)
    for path, text in () if is_ascii else resource.texts:
        # The value of a variable may be any text.
        if text.isascii() or path in commands or path[-1] == "value":
            continue
        if match := re.fullmatch(_QUOTED, text):
            end = len(text)
            message = f"{match[1]} and {match[2]} are no quotes, but a part of the value"
            edits = [(0, 1, ""), (end - 1, end, "")]
            yield Violation(Range(path, 0, end), message, "leave them out", edits=edits)


def pasted(text: str, *, is_command: bool) -> Sequence[ShellIssue]:
    """Return the pasted characters in a command line or in arguments."""
    found: list[ShellIssue] = []
    if is_command and (text.startswith(_PROMPTS) or "\n$ " in text):
        from bai.linter.shell.pasted_text import pasted_prompts

        found += pasted_prompts(text)
    if not text.isascii():
        from bai.linter.shell.pasted_text import pasted_text

        found += pasted_text(text, is_command=is_command)
    return found


def _texts(resource: ResourceView) -> Iterator[tuple[Path, str, bool]]:
    """Iterate over (path, text, whether it is a command line)."""
    for path, text in command_lines(resource):
        yield path, text, True
    for path, text in arguments(resource):
        yield path, text, False
