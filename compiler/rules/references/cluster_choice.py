"""BAI402: it is clear which cluster a job runs on.

A spec with one cluster runs all its jobs there. With none or with several, each job must name its
own: by name, or by the ARM id of one in another workspace. Such an id must be that of a cluster.
The same holds for the file server of a mount.

Wrong (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2}
      cpu: {vmSize: STANDARD_D2_V2, scale: 2}
    jobs:
      train:
        nodeCount: 1
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        custom: {command: hostname}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2}
      cpu: {vmSize: STANDARD_D2_V2, scale: 2}
    jobs:
      train:
        cluster: gpu
        nodeCount: 1
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        custom: {command: hostname}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI402", "a job without a cluster", stage=Stage.COMPILING)
