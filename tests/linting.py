"""Linting one file as `bai lint` does, without settings and suppressions."""

from bai.linter.driver.examine import examine, plain_context
from bai.linter.environment import LintEnvironment
from bai.linter.rules.registry import is_clean
from bai.specs.findings import Finding, Span
from bai.specs.parsed_file import ParsedFile


def lint(
    content: bytes, name: str, directory: str, environment: LintEnvironment
) -> tuple[Finding, ...]:
    """Return the findings of a file."""
    file = ParsedFile(content, name, directory)
    context = plain_context(file, environment)
    return () if context and is_clean(context) else examine([file], environment).findings


def findings_text(content: bytes, name: str, directory: str, environment: LintEnvironment) -> str:
    """Return the findings of a file in the form of golden cases."""
    text = content.decode()
    found = lint(content, name, directory, environment)
    return "".join(described(finding, text) for finding in found)


def described(finding: Finding, text: str) -> str:
    """Return a finding in the form of golden cases, with the part of the text that it is about."""
    span = finding.span
    place = f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"
    lines = [f"{place} {finding.severity} {finding.code} {finding.message}"]
    lines.append(f"    at: {excerpt(span, text)}")
    if finding.hint:
        lines.append(f"    hint: {finding.hint}")
    return "".join(f"{line}\n" for line in lines)


def excerpt(span: Span, text: str) -> str:
    """Return the text of a span, if it is in one line."""
    if span.line != span.end_line:
        return "..."
    return text.splitlines()[span.line - 1][span.column - 1 : span.end_column - 1]
