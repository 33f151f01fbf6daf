"""BAI904: what is meant to suppress findings is spelled so that it does.

A suppression begins with `# bai:`, in small letters and with its colon, then `ignore` or
`ignore-file`, and then the codes in brackets. Any other comment is left alone, and so the finding
is told as before. Why it is suppressed should stand behind the codes, but need not.

Wrong (job):

    nodeCount: 1   # BAI: ignor[BAI801] the cluster grows next week

Right (job):

    nodeCount: 2   # bai: ignore[BAI801] the cluster grows next week
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI904",
    "a misspelt suppression",
    severity=Severity.WARNING,
    stage=Stage.SUPPRESSING,
)
