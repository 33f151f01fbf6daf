"""Rules about the nodes that a job needs and its cluster has, and the processes on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai import vm_sizes
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.cluster_scale import SCALE, most_nodes
from bai.linter.facts.toolkits import toolkits
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule, rule
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
        yield Violation(_NODES, message, "raise its scale to run the job")


@rule("BAI806", Kind.JOB, keys=("processCount",))
def even_processes(job: ResourceView) -> Iterator[Violation]:
    nodes = job.number("properties", "nodeCount")
    if nodes is None or nodes < 2:
        return
    for toolkit, settings in toolkits(job):
        count = settings.get("processCount")
        # Fewer processes than nodes are for one process that uses all GPUs of its node.
        if type(count) is int and count > nodes and count % nodes:
            message = f"{count} processes do not spread evenly over {nodes} nodes"
            below = count - count % nodes
            hint = f"{below} or {below + nodes} would"
            yield Violation(("properties", toolkit, "processCount"), message, hint)


_COUNTS: Final = {"processCount": "processes", "workerCount": "workers"}


@context_rule("BAI807", Kind.JOB, needs_cluster=True, keys=tuple(_COUNTS))
def crowded_nodes(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    nodes = job.number("properties", "nodeCount")
    cluster = context.cluster_of(job) if nodes and nodes > 0 else None
    size = _size(cluster) if cluster else None
    if nodes is None or size is None:
        return
    each, what = (size.gpus, "GPU") if size.gpus else (size.cores, "core")
    for toolkit, settings in toolkits(job):
        for key, processes in _COUNTS.items():
            count = settings.get(key)
            if type(count) is int and count > nodes * each:
                have = f"{nodes} {'node' if nodes == 1 else 'nodes'} of {size.name}"
                total = f"{nodes * each} {what}{'s' if nodes * each > 1 else ''}"
                message = f"{count} {processes} on {have}, which have {total}"
                hint = f"at most {each} on each node, or a larger vmSize"
                yield Violation(("properties", toolkit, key), message, hint)


def _size(cluster: ResourceView) -> vm_sizes.VmSize | None:
    name = cluster.literal("properties", "vmSize")
    size = vm_sizes.find(name) if name else None
    # BAI314 reports sizes that clusters can't have; the size meant has other GPUs and cores.
    return size if size and size.has_clusters else None


_PATH = ("properties", "tensorFlowSettings", "parameterServerCount")


@rule("BAI703", Kind.JOB, keys=_PATH[-1:])
def tensorflow_counts(job: ResourceView) -> Iterator[Violation]:
    count, nodes = job.number(*_PATH), job.number("properties", "nodeCount")
    if count is not None and nodes is not None and count > nodes:
        message = f"{count} parameter servers are more than nodeCount {nodes}"
        yield Violation(_PATH, message, "at most one on each node")
