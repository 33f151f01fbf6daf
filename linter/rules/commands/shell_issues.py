"""The rules about issues in command lines that bai, bash and ShellCheck find."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.command_lines import (
    all_shell_issues,
    bash_parse_error,
    command_lines,
    shell_issues,
)
from bai.linter.resource_view import ResourceView
from bai.linter.rules.commands.pasted_characters import pasted
from bai.linter.rules.rule import Rule, context_rule, rule, without
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


@rule("BAI745", Kind.JOB, accepts={"commandLine": without("&")})
def background_work(job: ResourceView) -> Iterator[Violation]:
    """A job's command line does not end before its work."""
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


@context_rule("BAI708", Kind.JOB, Kind.CLUSTER, keys=("commandLine",))
def unreadable_commands(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    """The shell can read a command line to its end."""
    for path, issue in all_shell_issues(resource):
        if issue.kind == "unreadable":
            place = Range(path, issue.start, issue.end)
            yield Violation(place, issue.message, issue.hint, issue.edits)
    if context.shell is None:
        return
    for path, text in command_lines(resource):
        if found := bash_parse_error(context, resource, text):
            yield Violation(Range(path, found.start, found.end), found.message, found.hint)


_REFERENCES: Final = ("{mounts.", "{inputs.", "{outputs.", "$${AZ_BATCH")
"""What is left of references that are not in their form."""


@context_rule("BAI720", Kind.JOB, Kind.CLUSTER, keys=("commandLine",))
def shellcheck(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    """ShellCheck finds no issue in a command line."""
    if context.shell is None:
        return
    for path, text in command_lines(resource):
        found = context.shell.issues(text)
        if not found:
            continue
        from bai.linter.shell.shellcheck import without_duplicates

        known = [*shell_issues(resource, text), *pasted(text, is_command=True)]
        # Its syntax errors repeat those of bash, and the findings about misspelt references.
        if any(form in text for form in _REFERENCES) or bash_parse_error(context, resource, text):
            found = [one for one in found if not one.code.startswith("SC1")]
        for one in without_duplicates(found, known):
            message = f"{one.code} {one.message.rstrip('.')}"
            hint = f"see https://www.shellcheck.net/wiki/{one.code}"
            yield Violation(Range(path, one.start, max(one.end, one.start + 1)), message, hint)
