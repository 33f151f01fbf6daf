"""BAI717: variables are quoted where a space in them does harm.

The shell splits what an unquoted variable holds: `rm -rf $DIR` with a space in it deletes two other
things. Variables of Batch AI, and those that the job sets to a single word, are left alone.

Wrong (job):

    custom: {command: rm -rf $TARGET/old}

Right (job):

    custom: {command: 'rm -rf "${TARGET:?}/old"'}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.command_lines import shell_violations
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    yield from shell_violations(context, "unquoted-variable")


RULE = Rule("BAI717", "a variable without quotes", _check, Severity.WARNING)
