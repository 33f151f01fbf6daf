"""BAI204: subscription, resource group, workspace and location are known.

Every resource has an id that begins with them. They stand under `metadata`, or in the context,
which is the better place for what differs from one place to run to the other.

Wrong (file):

    apiVersion: bai/v1
    kind: Experiment
    metadata: {name: digits}
    spec:
      clusters:
        gpu: {vmSize: STANDARD_NC6, scale: 2}

Right (file):

    apiVersion: bai/v1
    kind: Experiment
    metadata: {name: digits, location: eastus}
    spec:
      clusters:
        gpu: {vmSize: STANDARD_NC6, scale: 2}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI204", "a place that neither the spec nor the context names", stage=Stage.COMPILING)
