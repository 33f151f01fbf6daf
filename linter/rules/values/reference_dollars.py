"""BAI319: a short reference begins with a dollar.

`{inputs.DATA}` and `{{inputs.DATA}}` reach the job as they are. Only names that the spec declares
are told, and none in texts that hold a program, whose own the braces may be.

Wrong (job):

    inputs: {DATA: "${mounts.data}"}
    custom: {command: "ls {inputs.DATA}"}

Right (job):

    inputs: {DATA: "${mounts.data}"}
    custom: {command: "ls ${inputs.DATA}"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI319",
    "a short reference without its dollar",
    severity=Severity.WARNING,
    stage=Stage.COMPILING,
)
