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

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.cluster_scale import most_nodes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation


@context_rule("BAI804", Kind.JOB, needs_cluster=True)
def parked_cluster(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    cluster = context.cluster_of(job)
    if cluster and most_nodes(cluster) == 0:
        message = f"the cluster {cluster.name} has no nodes: a new job would wait for them"
        hint = "raise its scale to run the job"
        yield Violation(("properties", "nodeCount"), message, hint)
