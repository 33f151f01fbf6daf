"""BAI745: a job's command line does not end before its work.

The job ends when its command line does, and what it left in the background is ended with it,
`nohup` or not. A command line of a job whose last command has `&` behind it is over at once.

Wrong (job):

    custom: {command: nohup python train.py &}

Right (job):

    custom: {command: python train.py}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.command_lines import command_lines
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for job in context.jobs:
        for path, text in command_lines(job):
            if path[1] == "jobPreparation" or not text.rstrip().endswith("&"):
                continue
            if place := _left_behind(text):
                message = "the job ends with its command line, which does not wait for this"
                hint = "leave the & out, or write `wait` behind it"
                yield Violation(job, path, message, hint, inside=place)


def _left_behind(text: str) -> tuple[int, int] | None:
    """Return the place of the last command, if it runs in the background and nothing waits."""
    from bai.linter.shell.lexer import sequences

    commands = sequences(text)[-1].commands
    if not commands or commands[-1].joiner != "&" or "wait" in text:
        return None
    return commands[-1].start, commands[-1].end


RULE = Rule("BAI745", "a job that does not wait for its work", _check, Severity.WARNING)
