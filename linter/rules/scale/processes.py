"""Rules about the processes of a job and the nodes that they run on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai import vm_sizes
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.toolkits import toolkits
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule, rule
from bai.linter.violation import Violation


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
