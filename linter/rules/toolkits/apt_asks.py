"""BAI715: apt, yum, dnf and pip are told to ask nothing.

Nobody answers on a node, so that an `apt install` or a `pip uninstall` which asks whether to go on
ends there, and what comes after it runs without the change. `read -p` gets nothing. `conda` goes on
without an answer.

Wrong (job):

    preparation: apt-get install libopenmpi-dev

Right (job):

    preparation: apt-get install -y libopenmpi-dev
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.command_lines import shell_violations
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    yield from shell_violations(context, "install-asks")


RULE = Rule("BAI715", "a question that nobody answers", _check, Severity.WARNING)
