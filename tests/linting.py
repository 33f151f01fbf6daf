"""Linting one file as `bai lint` does, without settings and suppressions."""

from bai.linter.driver.clean import is_clean
from bai.linter.driver.examine import examine, plain_context
from bai.linter.environment import LintEnvironment
from bai.specs.findings import Finding
from bai.specs.parsed_file import ParsedFile


def lint(
    content: bytes, name: str, directory: str, environment: LintEnvironment
) -> tuple[Finding, ...]:
    """Return the findings of a file."""
    file = ParsedFile(content, name, directory)
    context = plain_context(file, environment)
    return () if context and is_clean(context) else examine([file], environment).findings
