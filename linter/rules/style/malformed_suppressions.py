"""BAI903: a comment that suppresses findings names them, where it can work.

Without codes it would hide whatever comes next, syntax errors cannot be hidden, and a comment for
the whole file (`ignore-file`) stands above all content. In a text of several lines a comment is a
part of the text: for a command below `command: |` it stands on that line, behind the `|`.

Wrong (job):

    nodeCount: 1   # bai: ignore

Right (job):

    nodeCount: 2   # bai: ignore[BAI801] the cluster grows next week
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI903",
    "a suppression that can't work",
    severity=Severity.WARNING,
    stage=Stage.SUPPRESSING,
)
