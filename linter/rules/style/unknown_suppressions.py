"""BAI902: a comment that suppresses findings names codes that there are.

A code may be a prefix: `BAI5` stands for all findings about mounts.

Wrong (job):

    nodeCount: 1   # bai: ignore[BAI999] whatever it is

Right (job):

    nodeCount: 1
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI902",
    "a suppression of a code that no rule has",
    severity=Severity.WARNING,
    stage=Stage.SUPPRESSING,
)
