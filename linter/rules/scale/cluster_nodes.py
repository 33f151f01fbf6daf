"""Rules about the nodes that a job needs and its cluster has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.cluster_scale import SCALE, most_nodes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation

_NODES: Final = ("properties", "nodeCount")
_MOST: Final = 100
"""Nodes that a cluster of the service may have."""


@context_rule("BAI801", Kind.JOB, needs_cluster=True)
def cluster_size(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    cluster, needed = context.cluster_of(job), job.number(*_NODES)
    most = most_nodes(cluster) if cluster else None
    if cluster and needed and most and most < needed:
        message = f"the job needs {needed} nodes, the cluster {cluster.name} has {most}"
        hint = "it would wait forever: lower nodeCount or raise the cluster's scale"
        yield Violation(_NODES, message, hint)


@context_rule("BAI808", Kind.CLUSTER, Kind.JOB)
def cluster_limit(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    yield from (
        _of_cluster(resource) if resource.kind is Kind.CLUSTER else _of_job(resource, context)
    )


def _of_cluster(cluster: ResourceView) -> Iterator[Violation]:
    most = most_nodes(cluster)
    # What exceeds 32 bits is refused as such.
    if most is not None and _MOST < most < 2**31:
        automatic = cluster.get(*SCALE, "autoScale") is not None
        end = ("autoScale", "maximumNodeCount") if automatic else ("manual", "targetNodeCount")
        message = f"the service's clusters have at most {_MOST} nodes, found {most}"
        yield Violation((*SCALE, *end), message, "use several clusters")


def _of_job(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    nodes = job.number(*_NODES)
    # Where the cluster is known, its own size is what matters.
    if nodes is not None and _MOST < nodes < 2**31 and not context.cluster_of(job):
        message = f"the service's clusters have at most {_MOST} nodes, the job needs {nodes}"
        yield Violation(_NODES, message, "use fewer nodes, or split the job")


@context_rule("BAI804", Kind.JOB, needs_cluster=True)
def parked_cluster(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    cluster = context.cluster_of(job)
    if cluster and most_nodes(cluster) == 0:
        message = f"the cluster {cluster.name} has no nodes: a new job would wait for them"
        hint = "raise its scale to run the job"
        yield Violation(_NODES, message, hint)
