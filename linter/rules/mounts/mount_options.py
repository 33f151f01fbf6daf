"""BAI510: options of mounts are given where they have an effect.

On this machine a mount is a folder with the permissions that it has; modes and mount options are
taken by Azure alone. They do no harm, so that this is a warning.

Wrong (job):

    mounts: {data: "azureFile:data?fileMode=0700"}

Right (job):

    mounts: {data: "azureFile:data"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI510",
    "an option of a mount that has no effect here",
    severity=Severity.WARNING,
    stage=Stage.PLANNING,
)
