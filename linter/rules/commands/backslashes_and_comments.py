"""Rules about backslashes and comments, which YAML and shells read in different ways."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.facts.command_lines import all_shell_issues, command_lines, shell_issues
from bai.linter.facts.toolkits import ARGUMENTS, arguments
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import EVERY_TEXT, rule, without
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.violation import Place, Range, Violation
from bai.specs.findings import Path, Span


@rule("BAI742", accepts={EVERY_TEXT: without(r"\\")})
def escaped_blanks(resource: ResourceView) -> Iterator[Violation]:
    """A backslash at the end of a line joins it to the next one."""
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
            from bai.linter.shell.backslashes_and_comments import escaped_blanks
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

    text = resource.text(*path) or ""
    known = origins(resource.source, span, text, resource.substitutes_at(path))
    if not known:
        return False
    start, end = known[one.start][0], known[one.start + 1][1]
    return "\n" in resource.source[start:end]


@rule("BAI743", Kind.JOB, Kind.CLUSTER, keys=("commandLine", *ARGUMENTS))
def swallowed_words(resource: ResourceView) -> Iterator[Violation]:
    """`#` begins a comment only where one is meant."""
    for path, issue in all_shell_issues(resource):
        if issue.kind == "swallowed":
            place = Range(path, issue.start, issue.end)
            yield Violation(place, issue.message, issue.hint, issue.edits)
    if resource.places is None or " #" not in resource.source:
        return
    for path, _ in [*command_lines(resource), *arguments(resource)]:
        for scalar, span in _scalars(resource, path):
            if comment := _comment_behind(resource, span):
                word = comment.partition(" ")[0]
                message = f"for YAML a comment begins at {word}: the text ends before it"
                yield Violation(scalar, message, "put the whole text in quotes")


def _scalars(resource: ResourceView, path: Path) -> Iterator[tuple[Place, Span]]:
    """Iterate over the scalars of the line at a path: itself, or the words of a list."""
    if line := resource.lines.get(path):
        for word in line.words:
            yield Range(path, word.start, word.end), word.span
    elif span := resource.places.span(path) if resource.places else None:
        yield path, span


def _comment_behind(resource: ResourceView, span: Span) -> str | None:
    """Return the comment after a plain scalar if it is certainly meant as part of the text."""
    from bai.specs.source.places import line_at

    first = line_at(resource.source, span.line)
    last = line_at(resource.source, span.end_line)
    before = last[: span.end_column - 1]
    behind = last[span.end_column - 1 :].strip()
    if not behind.startswith("#") or first[span.column - 1 : span.column] in tuple("\"'|>&!"):
        return None
    from bai.linter.shell.backslashes_and_comments import is_meant

    return behind if is_meant(before, behind) else None
