"""BAI708: the shell can read a command line to its end."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.command_lines import (
    all_shell_issues,
    bash_parse_error,
    command_lines,
)
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Range, Violation


@context_rule("BAI708", Kind.JOB, Kind.CLUSTER, keys=("commandLine",))
def unreadable_commands(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    for path, issue in all_shell_issues(resource):
        if issue.kind == "unreadable":
            place = Range(path, issue.start, issue.end)
            yield Violation(place, issue.message, issue.hint, issue.edits)
    if context.shell is None:
        return
    for path, text in command_lines(resource):
        if found := bash_parse_error(context, resource, text):
            yield Violation(Range(path, found.start, found.end), found.message, found.hint)
