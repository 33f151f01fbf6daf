"""The rules about issues that `bai.linter.shell` finds in command lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.facts.command_lines import all_shell_issues
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Rule, rule
from bai.linter.violation import Range, Violation

_COMMANDS: Final = ("customToolkitSettings", "customMpiSettings")
"""Keys of a job's own command lines; the others run before it."""


def shell_rule(code: str, kind: str, of_commands: str | None = None) -> Rule:
    """Return the rule that reports one kind of shell issue.

    Args:
        code: the code of its findings.
        kind: the kind of `ShellIssue`.
        of_commands: another kind, which it reports in a job's own command lines only.
    """

    def check(resource: ResourceView) -> Iterator[Violation]:
        for path, issue in all_shell_issues(resource):
            if issue.kind == kind or (issue.kind == of_commands and path[1] in _COMMANDS):
                place = Range(path, issue.start, issue.end)
                yield Violation(place, issue.message, issue.hint, issue.edits)

    return rule(code, Kind.JOB, Kind.CLUSTER, keys=("commandLine",))(check)


RULES: Final = (
    shell_rule("BAI715", "install-asks"),
    # A failure hidden at the end of a preparation matters less: the job itself still runs.
    shell_rule("BAI716", "pipe-hides-failure", of_commands="end-hides-failure"),
    shell_rule("BAI717", "unquoted-variable"),
    shell_rule("BAI718", "cd-unchecked"),
    shell_rule("BAI740", "open-heredoc"),
    shell_rule("BAI741", "misread-requirement"),
    shell_rule("BAI750", "misspelt-subcommand"),
)
