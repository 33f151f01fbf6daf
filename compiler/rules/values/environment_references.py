"""BAI320: environment variables are written as the shell writes them.

There is no short reference to a variable: `${env.NCCL_DEBUG}` would reach the job as it is, and the
shell takes no name with a dot.

Wrong (job):

    environment: {NCCL_DEBUG: INFO}
    custom: {command: "echo ${env.NCCL_DEBUG}"}

Right (job):

    environment: {NCCL_DEBUG: INFO}
    custom: {command: "echo $NCCL_DEBUG"}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI320",
    "a reference to an environment variable",
    severity=Severity.WARNING,
    stage=Stage.COMPILING,
)
