"""The texts of a wire form that a shell runs, and the issues in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.memo import memo
from bai.linter.facts.variables import variable_entries
from bai.linter.resource_view import ResourceView
from bai.linter.shell.issues import find_issues, may_have_issues
from bai.linter.shell.shell_issue import ShellIssue
from bai.specs.findings import Path

if TYPE_CHECKING:
    from bai.linter.shell.grammar import ParseError

_PLACES: Final[dict[Kind, tuple[Path, ...]]] = {
    Kind.JOB: (
        ("properties", "jobPreparation", "commandLine"),
        ("properties", "customToolkitSettings", "commandLine"),
        ("properties", "customMpiSettings", "commandLine"),
    ),
    Kind.CLUSTER: (("properties", "nodeSetup", "setupTask", "commandLine"),),
}


_RESERVED: Final = frozenset(
    "if then elif else fi for while until do done case esac select function { } [[".split()  # noqa: SIM905
)
_SEPARATORS: Final = str.maketrans(";&|()", "     ")
"""Words that bash reads in a way of its own, and what stands around them beside blanks."""


@memo
def command_lines(resource: ResourceView) -> Sequence[tuple[Path, str]]:
    """Return (path, text) of the command lines of a job or a cluster."""
    places = _PLACES.get(resource.kind, ())
    return [
        (path, text)
        for path in places
        if (text := resource.text(*path)) and (resource.is_compiled or not is_expression(text))
    ]


def commands(resource: ResourceView) -> Sequence[str]:
    """Return the command lines that rules will check with `Shell`."""
    return [text for _, text in command_lines(resource)]


@memo
def all_shell_issues(resource: ResourceView) -> Sequence[tuple[Path, ShellIssue]]:
    """Return (path, issue) of the issues in all command lines of a job or a cluster."""
    return [
        (path, issue)
        for path, text in command_lines(resource)
        for issue in shell_issues(resource, text)
    ]


def _may_need_bash(text: str) -> bool:
    """Return whether `needs_bash` may be true: a prefilter, as it takes long to import."""
    if "(" in text or (";" in text and (";;" in text or "&" in text)):
        return True
    return not _RESERVED.isdisjoint(text.translate(_SEPARATORS).split())


def bash_parse_error(context: RuleContext, resource: ResourceView, text: str) -> ParseError | None:
    """Return why bash refuses a command line that `shell_issues` finds readable."""
    if context.shell is None or not _may_need_bash(text):
        return None
    from bai.linter.shell.bash_syntax import needs_bash

    if not needs_bash(text):
        return None
    if any(issue.kind == "unreadable" for issue in shell_issues(resource, text)):
        return None
    return context.shell.parse_error(text)


def shell_issues(resource: ResourceView, text: str) -> Sequence[ShellIssue]:
    """Return all issues in a command line of a job or a cluster."""
    if not may_have_issues(text):
        return ()
    variables = _spaceless(resource) if "$" in text else frozenset()
    return _issues(text, variables)


@lru_cache(maxsize=64)
def _issues(text: str, spaceless: frozenset[str]) -> Sequence[ShellIssue]:
    # Several rules need them, and many jobs have the same preparation.
    return find_issues(text, spaceless)


@memo
def _spaceless(resource: ResourceView) -> frozenset[str]:
    """Return the variables whose values are one word to a shell, even without quotes."""
    return frozenset(
        name
        for _, entry in variable_entries(resource, "environmentVariables")
        if isinstance(name := entry.get("name"), str)
        and isinstance(value := entry.get("value"), str)
        and value
        and "$" not in value
        and not any(mark.isspace() or mark in "*?[" for mark in value)
    )
