"""BAI530: files for `az batchai` mount nothing of this machine.

A mount `file:DIR` is a folder of the machine that bai runs on. No node in Azure has it: upload what
is in it to a share, and mount that.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:."}

Right (job):

    mounts: {data: "azureFile:data", code: "azureFile:code"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI530",
    "a folder of this machine in files for Azure",
    severity=Severity.WARNING,
    stage=Stage.EXPORTING,
)
