"""BAI320: only mounts, inputs and outputs have short references.

Environment variables and secrets are written as the shell writes them, and values of the spec have
no names: `${env.NCCL_DEBUG}` and `${spec.storageAccount}` would reach the job as they are, and the
shell takes no name with a dot.

Wrong (job):

    environment: {NCCL_DEBUG: INFO}
    custom: {command: "echo ${env.NCCL_DEBUG}"}

Right (job):

    environment: {NCCL_DEBUG: INFO}
    custom: {command: "echo $NCCL_DEBUG"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI320",
    "a reference to something that has none",
    severity=Severity.WARNING,
    stage=Stage.COMPILING,
)
