"""BAI801: a job's nodes fit on its cluster.

Batch AI starts a job once all its nodes are free at the same time. A job that is larger than its
cluster would wait forever.

Wrong (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 4
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        custom: {command: hostname}

Right (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: {min: 0, max: 4}}}
    jobs:
      train:
        nodeCount: 4
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        custom: {command: hostname}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.linter.rules.scale.scales import most_nodes

_PATH = ("properties", "nodeCount")


def _check(context: RuleContext) -> Iterator[Violation]:
    for job in context.jobs:
        cluster, needed = context.cluster_of(job), job.number(*_PATH)
        most = most_nodes(cluster) if cluster else None
        if cluster and needed and most and most < needed:
            message = f"the job needs {needed} nodes, the cluster {cluster.name} has {most}"
            hint = "it would wait forever: lower nodeCount or raise the cluster's scale"
            yield Violation(job, _PATH, message, hint)


RULE = Rule("BAI801", "a job that is larger than its cluster", _check, needs_cluster=True)
