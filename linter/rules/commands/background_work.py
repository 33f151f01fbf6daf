"""BAI745: a job's command line does not end before its work."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.facts.command_lines import command_lines
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Range, Violation


@rule("BAI745", Kind.JOB, marks="&")
def background_work(job: ResourceView) -> Iterator[Violation]:
    for path, text in command_lines(job):
        if path[1] == "jobPreparation" or not text.rstrip().endswith("&"):
            continue
        if place := _left_behind(text):
            message = "the job ends with its command line, which does not wait for this"
            hint = "leave the & out, or write `wait` behind it"
            yield Violation(Range(path, *place), message, hint)


def _left_behind(text: str) -> tuple[int, int] | None:
    """Return the place of the last command, if it runs in the background and nothing waits."""
    from bai.linter.shell.lexer import sequences

    commands = sequences(text)[-1].commands
    if not commands or commands[-1].joiner != "&" or "wait" in text:
        return None
    return commands[-1].start, commands[-1].end
