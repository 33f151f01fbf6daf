"""BAI720: ShellCheck has nothing to say of a command line.

Where `shellcheck` is installed, `bai lint` asks it about all command lines and preparations; the
finding begins with its own code, which its wiki explains. What it says of scripts alone is left
out: variables come from the job, and files that a command reads are on the node.

Wrong (job):

    custom: {command: 'if [ ready = ]; then echo ready; fi'}

Right (job):

    custom: {command: 'if [ -f model.pt ]; then echo ready; fi'}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.linter.facts.command_lines import bash_refusal, command_lines, shell_issues
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.linter.rules.toolkits.pasted_characters import pasted
from bai.specs.findings import Severity

_TOLD: Final = ("{mounts.", "{inputs.", "{outputs.", "$${AZ_BATCH")
"""What is left of references that are not in their form."""


def _check(context: RuleContext) -> Iterator[Violation]:
    shell = context.shell
    if shell is None:
        return
    for resource in context.items:
        for path, text in command_lines(resource):
            if found := shell.issues(text):
                from bai.linter.shell.shellcheck import without_duplicates

                mistakes = [*shell_issues(resource, text), *pasted(text, is_command=True)]
                # Its errors of syntax say the same of what bash refuses, and of such slips.
                is_told = any(slip in text for slip in _TOLD)
                if is_told or bash_refusal(context, resource, text):
                    found = [one for one in found if not one.code.startswith("SC1")]
                for one in without_duplicates(found, mistakes):
                    message = f"{one.code} {one.message.rstrip('.')}"
                    hint = f"see https://www.shellcheck.net/wiki/{one.code}"
                    place = (one.start, max(one.end, one.start + 1))
                    yield Violation(resource, path, message, hint, inside=place)


RULE = Rule("BAI720", "a finding of ShellCheck", _check, Severity.WARNING, Stage.LINTING)
