"""Which queued attempts start now, and on which nodes."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import islice

from bai.runtime.scheduling.instructions import Start, Submit
from bai.runtime.scheduling.records import NodeState, Queued
from bai.runtime.scheduling.view import ClusterView


def schedule(view: ClusterView, slots: int | None) -> tuple[Start, ...]:
    """Return the attempts that start now, in order; some of the first may be started alone.

    An attempt gets all its nodes at once. Those of a cluster come strictly by priority, then by
    age: one that lacks nodes holds up the cluster's others. The processes of all running attempts
    stay within `slots` (None: without limit), but one attempt alone may have more. One that lacks
    slots only holds up all that come after it by priority and age, on any cluster, so that small
    ones can't overtake it for ever.

    Costs what it starts, plus one look at each cluster that has a queue.
    """
    starts = []
    processes = view.processes()
    lines = [(head.rank, _Line(view, head)) for head in view.heads()]
    heapq.heapify(lines)
    while lines:
        _, line = lines[0]
        head = line.head
        if head.nodes > line.free:
            heapq.heappop(lines)
            continue
        if slots is not None and lacks_slots(head, processes, slots):
            break
        starts.append(Start(head.attempt, head.cluster, line.take(head.nodes)))
        processes += head.processes
        if line.advance():
            heapq.heapreplace(lines, (line.head.rank, line))
        else:
            heapq.heappop(lines)
    return tuple(starts)


def submit(view: ClusterView) -> tuple[Submit, ...]:
    """Return the attempts to hand over to the engine's own queue now: all, by priority and age.

    There, nothing waits for another job of bai's, but for what the engine says.
    """
    lines = [view.queue(head.cluster) for head in view.heads()]
    queued = heapq.merge(*lines, key=lambda each: each.rank)
    return tuple(Submit(each.attempt) for each in queued)


def lacks_slots(queued: Queued, processes: int, slots: int) -> bool:
    """Return whether an attempt must wait for the end of some of the running processes."""
    return processes > 0 and processes + queued.processes > slots


class _Line:
    """The queue of a cluster from its first attempt that was not started, and its free nodes."""

    def __init__(self, view: ClusterView, head: Queued) -> None:
        self.head = head
        self.free = view.counts(head.cluster).idle
        self._view = view
        self._queue: Iterator[Queued] | None = None
        self._idle = (node.number for node in view.nodes(head.cluster, NodeState.IDLE))

    def take(self, count: int) -> tuple[int, ...]:
        """Take the lowest free nodes."""
        self.free -= count
        return tuple(islice(self._idle, count))

    def advance(self) -> bool:
        """Go to the next attempt; False if there is none."""
        if self._queue is None:
            self._queue = self._view.queue(self.head.cluster)
            next(self._queue)
        following = next(self._queue, None)
        self.head = following or self.head
        return following is not None
