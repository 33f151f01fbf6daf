"""BAI741: a requirement for pip or conda is one word, in quotes where it has `>` or `<`.

The shell takes `>` for a redirection: `pip install torch>=1.0` installs any version, and writes
what pip says to a file `=1.0`. Without quotes a blank before `==` makes two requirements of one.
A file with requirements stands behind `-r` (for conda `--file`).

Wrong (job):

    preparation: pip install torch>=1.0

Right (job):

    preparation: pip install "torch>=1.0"
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.command_lines import shell_violations
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    yield from shell_violations(context, "misread-requirement")


RULE = Rule("BAI741", "a requirement that pip gets otherwise", _check, Severity.WARNING)
