"""BAI403: a name that the spec does not declare is not almost one that it does.

A job may run on a cluster, and a path may lead to a mount, that was made by another spec: only the
plan can tell whether it lives. If the name is nearly that of something in this spec, or in another
document of its file, it is probably a slip.

Wrong (job):

    cluster: gpus

Right (job):

    cluster: gpu
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI403", "a name that looks like a slip", severity=Severity.WARNING, stage=Stage.COMPILING
)
