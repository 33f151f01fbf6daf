"""BAI407: clusters and file servers are declared in the spec, or live already.

A job runs on a cluster, and both may mount file servers. Whether one lives that the spec does not
declare is known to the place to run alone, so this is found by `bai diff` and `bai apply`, not by
`bai lint`.

Wrong (spec):

    jobs:
      train:
        cluster: gpu
        nodeCount: 1
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        custom: {command: hostname}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 1}
    jobs:
      train:
        cluster: gpu
        nodeCount: 1
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        custom: {command: hostname}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI407", "a machine that neither the spec nor the workspace has", stage=Stage.PLANNING)
