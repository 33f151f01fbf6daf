"""BAI750: pip, conda and apt know the subcommand that they are called with.

`pip instal torch` fails on the node, and the job with it. Only what is nearly a subcommand is told,
as programs may have others by plug-ins.

Wrong (job):

    preparation: pip instal torch==2.1.0

Right (job):

    preparation: pip install torch==2.1.0
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.command_lines import shell_violations
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    yield from shell_violations(context, "misspelt-subcommand")


RULE = Rule("BAI750", "a misspelt subcommand", _check, Severity.WARNING)
