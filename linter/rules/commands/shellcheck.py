"""BAI720: ShellCheck finds no issue in a command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.command_lines import bash_parse_error, command_lines, shell_issues
from bai.linter.resource_view import ResourceView
from bai.linter.rules.commands.pasted_characters import pasted
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Range, Violation

_REFERENCES: Final = ("{mounts.", "{inputs.", "{outputs.", "$${AZ_BATCH")
"""What is left of references that are not in their form."""


@context_rule("BAI720", Kind.JOB, Kind.CLUSTER, keys=("commandLine",))
def shellcheck(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
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
