"""BAI742: a backslash at the end of a line joins it to the next one."""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.command_lines import command_lines, shell_issues
from bai.linter.facts.toolkits import arguments
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.violation import Range, Violation
from bai.specs.findings import Path


@rule("BAI742", marks="\\")
def escaped_blanks(resource: ResourceView) -> Iterator[Violation]:
    for path, one in _blanks(resource):
        if one.kind == "escaped-blank" or _is_folded(resource, path, one):
            yield Violation(Range(path, one.start, one.end), one.message, one.hint, edits=one.edits)


def _blanks(resource: ResourceView) -> Iterator[tuple[Path, ShellIssue]]:
    for path, text in command_lines(resource):
        if "\\ " in text or "\\\t" in text:
            for one in shell_issues(resource, text):
                if one.kind in ("escaped-blank", "folded-blank"):
                    yield path, one
    for path, text in arguments(resource):
        if "\\ " in text:
            from bai.linter.shell.escaped_blanks import escaped_blanks
            from bai.linter.shell.lexer import sequences

            for command in sequences(text)[-1].commands:
                for one in escaped_blanks(text, command.words):
                    yield path, one


def _is_folded(resource: ResourceView, path: Path, one: ShellIssue) -> bool:
    """Return whether a line of the source ends behind the backslash."""
    span = resource.places.span(path) if resource.places else None
    if span is None or span.line == span.end_line:
        return False
    from bai.specs.source.places import origins

    known = origins(resource.source, span, resource.text(*path) or "")
    if not known:
        return False
    start, end = known[one.start][0], known[one.start + 1][1]
    return "\n" in resource.source[start:end]
