"""BAI743: `#` begins a comment only where one is meant."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.facts.command_lines import all_shell_issues, command_lines
from bai.linter.facts.toolkits import ARGUMENTS, arguments
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Range, Violation
from bai.specs.findings import Path


@rule("BAI743", Kind.JOB, Kind.CLUSTER, keys=("commandLine", *ARGUMENTS))
def swallowed_words(resource: ResourceView) -> Iterator[Violation]:
    for path, issue in all_shell_issues(resource):
        if issue.kind == "swallowed":
            place = Range(path, issue.start, issue.end)
            yield Violation(place, issue.message, issue.hint, issue.edits)
    if resource.places is None or " #" not in resource.source:
        return
    for path, _ in [*command_lines(resource), *arguments(resource)]:
        if comment := _comment_behind(resource, path):
            word = comment.partition(" ")[0]
            message = f"for YAML a comment begins at {word}: the text ends before it"
            yield Violation(path, message, "put the whole text in quotes")


def _comment_behind(resource: ResourceView, path: Path) -> str | None:
    """Return the comment after a plain scalar if it is certainly meant as part of the text."""
    span = resource.places.span(path) if resource.places else None
    if span is None:
        return None
    from bai.specs.source.places import line_at

    first = line_at(resource.source, span.line)
    last = line_at(resource.source, span.end_line)
    before = last[: span.end_column - 1]
    behind = last[span.end_column - 1 :].strip()
    if not behind.startswith("#") or first[span.column - 1 : span.column] in tuple("\"'|>&!"):
        return None
    from bai.linter.shell.unmeant_comments import is_meant

    return behind if is_meant(before, behind) else None
