"""BAI709: dashes, quotes and spaces in commands are those of the keyboard.

Word processors, chats and web pages turn `--epochs` into `—epochs` and `"first try"` into
`“first try”`. Pasted from there, the one is no option and the other are two words for the
shell. The same is told of dashes within options and numbers, of characters that nobody sees, and
of operators of full width. All of these are left alone inside of real quotes. The prompts of
`$ python train.py` and `!pip install keras` are no part of a command either.

Wrong (job):

    custom: {command: python train.py —epochs 3}

Right (job):

    custom: {command: python train.py --epochs 3}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bai.linter.facts.command_lines import command_lines
from bai.linter.facts.toolkits import arguments
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.violation import Range, Violation
from bai.specs.findings import Path

_PROMPTS: Final = ("$ ", "!", "%")
"""How a command line may begin that was copied from a terminal or a notebook."""


@rule("BAI709")
def pasted_characters(resource: ResourceView) -> Iterator[Violation]:
    for path, text, is_command in _texts(resource):
        for one in pasted(text, is_command=is_command):
            yield Violation(Range(path, one.start, one.end), one.message, one.hint, edits=one.edits)


def pasted(text: str, *, is_command: bool) -> Sequence[ShellIssue]:
    """Return what of a command line, or of arguments, was pasted from elsewhere."""
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
