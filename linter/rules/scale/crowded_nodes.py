"""BAI807: a node has no more processes than it has GPUs, or cores where it has no GPU.

Processes that share a GPU wait for each other and may run out of its memory. Batch AI's own limit
is one worker for each GPU.

Wrong (spec):

    clusters: {gpu: {vmSize: STANDARD_NC12, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.data}/train.py", processesPerNode: 4}

Right (spec):

    clusters: {gpu: {vmSize: STANDARD_NC24, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.data}/train.py", processesPerNode: 4}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai import vm_sizes
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.toolkits import toolkits
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation

_COUNTS: Final = {"processCount": "processes", "workerCount": "workers"}


@context_rule("BAI807", Kind.JOB, needs_cluster=True)
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
    # Of a size that no cluster has, BAI314 tells, and another one has other GPUs and cores.
    return size if size and size.has_clusters else None
