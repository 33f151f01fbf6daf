"""BAI211: files for `az batchai` say where in Azure things shall be.

The built-in context calls the resource group, the workspace and the location `local`, which is good
enough for this machine. The commands that `bai compile -d` writes would look for things of that
name.

Wrong (file):

    apiVersion: bai/v1
    kind: Experiment
    metadata: {name: example}
    spec:
      clusters: {gpu: {vmSize: STANDARD_NC6, scale: 1}}

Right (file):

    apiVersion: bai/v1
    kind: Experiment
    metadata:
      name: example
      resourceGroup: vision
      workspace: team
      location: eastus
    spec:
      clusters: {gpu: {vmSize: STANDARD_NC6, scale: 1}}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI211",
    "files for Azure that do not say where",
    severity=Severity.WARNING,
    stage=Stage.EXPORTING,
)
