"""BAI324: `location` is a region of Azure.

`az account list-locations -o table` shows all. Azure adds regions, so only a name that is one slip
away from a known one is told.

Wrong (file):

    apiVersion: bai/v1
    kind: Experiment
    metadata: {name: example, location: eatus}
    spec: {clusters: {gpu: {vmSize: STANDARD_NC6, scale: 1}}}

Right (file):

    apiVersion: bai/v1
    kind: Experiment
    metadata: {name: example, location: eastus}
    spec: {clusters: {gpu: {vmSize: STANDARD_NC6, scale: 1}}}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule("BAI324", "a misspelt region", severity=Severity.WARNING, stage=Stage.COMPILING)
