"""BAI740: a here-document ends in a line of its own.

What follows `<<EOF` is text up to a line that is `EOF` and nothing else. Without one all commands
below are a part of the text, and none of them is run. In a scalar of one line, and below `>`, there
are no lines that could end it.

Wrong (job):

    custom:
      command: |
        cat > hosts <<EOF
        localhost
        python train.py

Right (job):

    custom:
      command: |
        cat > hosts <<EOF
        localhost
        EOF
        python train.py
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.command_lines import shell_violations
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    yield from shell_violations(context, "open-heredoc")


RULE = Rule("BAI740", "a here-document without an end", _check, Severity.WARNING)
