"""BAI901: a comment that suppresses a finding has one to suppress.

A suppression that outlives its reason hides the next mistake at its place. Where it names several
codes, only those that suppress nothing are told; `bai lint --fix` removes them.

Wrong (job):

    nodeCount: 1   # bai: ignore[BAI801] the cluster grows next week

Right (job):

    nodeCount: 2   # bai: ignore[BAI801] the cluster grows next week
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI901",
    "a suppression that suppresses nothing",
    severity=Severity.WARNING,
    stage=Stage.SUPPRESSING,
)
