"""BAI708: the shell can read a command line to its end.

A quote or a parenthesis that is not closed, `&&` without a command behind it, `if` without `fi`:
on the node the shell says so, and the job fails. `bai lint` also asks bash, where Linux has it, to
read command lines with blocks or parentheses; nothing is run.

Wrong (job):

    custom: {command: echo 'starting && hostname}

Right (job):

    custom: {command: echo 'starting' && hostname}
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from bai.linter.facts.command_lines import bash_refusal, command_lines, shell_violations
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation

_MOST: Final = 200
"""Command lines of one file that bash is asked about: each takes some milliseconds."""


def _check(context: RuleContext) -> Iterator[Violation]:
    yield from shell_violations(context, "unreadable")
    if context.shell is None:
        return
    questions = (
        (resource, path, text)
        for resource in context.items
        for path, text in command_lines(resource)
    )
    for resource, path, text in islice(questions, _MOST):
        if found := bash_refusal(context, resource, text):
            place = (found.start, found.end)
            yield Violation(resource, path, found.message, found.hint, inside=place)


RULE = Rule("BAI708", "a command line that the shell can't read", _check)
