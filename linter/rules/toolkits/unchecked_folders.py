"""BAI718: nothing is deleted after a `cd` that may have failed.

Where the folder is not there, the shell stays where it is, and `rm` deletes what is there instead.

Wrong (job):

    custom: {command: cd build; rm -rf *}

Right (job):

    custom: {command: cd build && rm -rf *}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.command_lines import shell_violations
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    yield from shell_violations(context, "cd-unchecked")


RULE = Rule("BAI718", "a deletion after an unchecked cd", _check, Severity.WARNING)
