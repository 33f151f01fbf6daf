"""How the size of a cluster follows what its attempts need."""

from __future__ import annotations

from itertools import islice

from bai.runtime.scheduling.instructions import (
    AddNodes,
    ChangeNodes,
    Instruction,
    RemoveNodes,
)
from bai.runtime.scheduling.records import (
    AutoScale,
    Counts,
    Deallocation,
    ManualScale,
    NodeState,
)
from bai.runtime.scheduling.resize import resize
from bai.runtime.scheduling.view import ClusterView


def first_nodes(cluster: str, scale: ManualScale | AutoScale) -> tuple[AddNodes, ...]:
    """Return the nodes that a new cluster gets."""
    if isinstance(scale, ManualScale):
        count = scale.target
    else:
        count = max(scale.minimum, min(scale.initial, scale.maximum))
    return (AddNodes(cluster, tuple(range(count))),) if count else ()


def autoscale(
    view: ClusterView, cluster: str, scale: AutoScale, *, now: float, idle_time: float
) -> tuple[Instruction, ...]:
    """Return what brings a cluster to the size that its queued and running attempts need.

    Up at once; nodes that leave stay after all before new ones are added. Down only by nodes that
    were idle for longer than the idle time, and never below the minimum. Nodes that were unusable
    for so long go, too, and are replaced where they are needed. A stamp of the future comes of a
    clock that was set back, and counts as long ago: no jump of the clock keeps a node for ever.

    Where the maximum was lowered, nodes in excess of it go as `resize` chooses, but no attempt is
    ended for it. Slots play no role: what lacks them has its nodes ready.

    Costs what it changes.
    """
    counts = view.counts(cluster)
    if counts.size > scale.maximum:
        patient = Deallocation.WAIT_FOR_JOB_COMPLETION
        return resize(view, cluster, ManualScale(scale.maximum, patient))
    since = now - idle_time
    failed = tuple(
        node.number
        for node in view.nodes_outside(cluster, NodeState.UNUSABLE, since, now)
        if node.attempt is None
    )
    size = counts.size - len(failed)
    lacking = _needed(view, cluster, counts, scale) - (counts.size - counts.unusable)
    more = min(max(lacking, scale.minimum - size), scale.maximum - size)
    fewer = max(0, min(-lacking, size - scale.minimum))
    idle = islice(view.nodes_outside(cluster, NodeState.IDLE, since, now), fewer)
    gone = failed + tuple(node.number for node in idle)
    removal = (RemoveNodes(cluster, tuple(sorted(gone))),) if gone else ()
    return *removal, *_grow(view, cluster, more)


def _needed(view: ClusterView, cluster: str, counts: Counts, scale: AutoScale) -> int:
    """Return how many usable nodes the cluster's attempts need, within its maximum.

    If the first of the queue needs more than the maximum, none of the queue can start.
    """
    head = next(view.queue(cluster), None) if counts.queued_nodes else None
    queued = counts.queued_nodes if head and head.nodes <= scale.maximum else 0
    return min(scale.maximum, counts.running + counts.leaving + queued)


def _grow(view: ClusterView, cluster: str, count: int) -> tuple[ChangeNodes | AddNodes, ...]:
    """Return what gives a cluster more nodes: of those that leave first, then new ones."""
    if count <= 0:
        return ()
    kept = tuple(n.number for n in islice(view.nodes(cluster, NodeState.LEAVING), count))
    added = tuple(islice(view.absent(cluster), count - len(kept)))
    change = (ChangeNodes(cluster, kept, NodeState.RUNNING),) if kept else ()
    return *change, *((AddNodes(cluster, added),) if added else ())
