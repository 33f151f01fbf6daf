"""BAI805: the setup of nodes is given where nodes are set up.

A setup task runs as root on each new node of a cluster, and performance counters are sent from
there. On this machine nodes are folders: bai changes nothing of the machine itself. What one job
needs can be done by its preparation.

Wrong (spec):

    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 1
        mounts: {tools: "azureFile:tools"}
        setupTask: {command: apt-get install -y sox, logs: "${mounts.tools}"}

Right (spec):

    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 1
        mounts: {tools: "azureFile:tools"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI805",
    "a node's setup that has no effect here",
    severity=Severity.WARNING,
    stage=Stage.PLANNING,
)
