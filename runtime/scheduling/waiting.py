"""Why a queued attempt does not start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from bai.compiler.resources.ids import ResourceId
from bai.runtime.jobs.waiting import Waiting
from bai.runtime.scheduling.records import AutoScale, ManualScale, Queued
from bai.runtime.scheduling.starts import lacks_slots
from bai.runtime.scheduling.view import ClusterView

_NAMED = 5
"""The most holders that a wait names. More would not be read, and there may be thousands."""


def waiting(
    view: ClusterView, queued: Queued, slots: int | None, scale: ManualScale | AutoScale
) -> Waiting | None:
    """Return what an attempt waits for; None if nothing holds it up, so that it is to start.

    Args:
        view: the state.
        queued: the attempt.
        slots: as for `schedule`.
        scale: of its cluster.
    """
    if count := view.before(queued):
        first = next(view.queue(queued.cluster))
        return _waiting(queued, "turn", count, 1, [(first.job, 1)])
    # Nodes first: the user asked for them, and their holders explain the wait best.
    if wait := _for_nodes(view, queued, scale):
        return wait
    return None if slots is None else _for_slots(view, queued, slots)


def waits(
    view: ClusterView, cluster: str, slots: int | None, scale: ManualScale | AutoScale
) -> Iterator[tuple[str, Waiting]]:
    """Iterate over the attempts in the queue of a cluster, and what each waits for.

    Costs one look at each of them. The arguments are those of `waiting`.
    """
    line = iter(view.queue(cluster))
    first = next(line, None)
    if first is None:
        return
    if wait := waiting(view, first, slots, scale):
        yield first.attempt, wait
    for count, queued in enumerate(line, 1):
        yield queued.attempt, _waiting(queued, "turn", count, 1, [(first.job, 1)])


def _for_nodes(view: ClusterView, queued: Queued, scale: ManualScale | AutoScale) -> Waiting | None:
    counts = view.counts(queued.cluster)
    if counts.idle >= queued.nodes:
        return None
    return _waiting(
        queued,
        "node",
        queued.nodes,
        counts.size,
        view.node_holders(queued.cluster),
        held=counts.running,
        preparing=counts.preparing,
        unusable=counts.unusable,
        most=scale.maximum if isinstance(scale, AutoScale) else None,
        target=scale.target if isinstance(scale, ManualScale) else None,
    )


def _for_slots(view: ClusterView, queued: Queued, slots: int) -> Waiting | None:
    processes = view.processes()
    for head in view.heads():
        if head.rank >= queued.rank:
            break
        has_nodes = view.counts(head.cluster).idle >= head.nodes
        if has_nodes and lacks_slots(head, processes, slots):
            return _waiting(queued, "machine", 1, 1, [(head.job, 1)])
    if not lacks_slots(queued, processes, slots):
        return None
    holders = view.process_holders()
    return _waiting(queued, "process", queued.processes, slots, holders, held=processes)


def _waiting(
    queued: Queued,
    unit: str,
    needed: int,
    total: int,
    holders: Iterable[tuple[str, int]],
    *,
    held: int = 0,
    **more: Any,
) -> Waiting:
    named = tuple(islice(holders, _NAMED))
    others = max(0, held - sum(count for _, count in named))
    return Waiting(
        ResourceId.parse(queued.job),
        ResourceId.parse(queued.cluster),
        unit,
        needed,
        total,
        tuple((ResourceId.parse(job), count) for job, count in named),
        others=others,
        **more,
    )
