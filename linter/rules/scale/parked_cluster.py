"""BAI804: a cluster that jobs run on has nodes.

People scale a cluster to no nodes at all between runs, as nodes cost money while they wait. A job
that is sent to it then waits until somebody raises the scale again.

Wrong (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 0}}
    jobs:
      train:
        nodeCount: 1
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        custom: {command: hostname}

Right (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: {min: 0, max: 1}}}
    jobs:
      train:
        nodeCount: 1
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        custom: {command: hostname}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.linter.rules.scale.scales import most_nodes
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for job in context.jobs:
        cluster = context.cluster_of(job)
        if cluster and most_nodes(cluster) == 0:
            message = f"the cluster {cluster.name} has no nodes: a new job would wait for them"
            hint = "raise its scale to run the job"
            yield Violation(job, ("properties", "nodeCount"), message, hint)


RULE = Rule(
    "BAI804", "a job on a cluster without nodes", _check, Severity.WARNING, needs_cluster=True
)
