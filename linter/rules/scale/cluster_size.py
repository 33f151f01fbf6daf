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

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.cluster_scale import most_nodes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation

_PATH = ("properties", "nodeCount")


@context_rule("BAI801", Kind.JOB, needs_cluster=True)
def cluster_size(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    cluster, needed = context.cluster_of(job), job.number(*_PATH)
    most = most_nodes(cluster) if cluster else None
    if cluster and needed and most and most < needed:
        message = f"the job needs {needed} nodes, the cluster {cluster.name} has {most}"
        hint = "it would wait forever: lower nodeCount or raise the cluster's scale"
        yield Violation(_PATH, message, hint)
