"""A cluster in memory, as `MemoryState` keeps it."""

from __future__ import annotations

from collections.abc import Iterable

from bai.runtime.scheduling.ordered import Ordered
from bai.runtime.scheduling.records import Node, NodeState, Running


class MemoryCluster:
    """Nodes, queue and gangs of a cluster, with an index for each query."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.nodes: dict[int, Node] = {}
        self.by_number: dict[NodeState, Ordered[int]] = {each: Ordered() for each in NodeState}
        self.by_time: dict[NodeState, Ordered[tuple[float, int]]] = {
            each: Ordered() for each in NodeState
        }
        self.holes: Ordered[int] = Ordered()
        self.above = 0
        """From here on, no number was ever given."""
        self.queue: Ordered[tuple[int, int, str]] = Ordered()
        self.queued_nodes = 0
        self.gangs: Ordered[tuple[int, str]] = Ordered()
        self.ending: Ordered[tuple[int, str]] = Ordered()
        self.smallest: Ordered[tuple[int, int, int, str]] = Ordered()
        self.largest: Ordered[tuple[int, int, int, str]] = Ordered()

    def set(self, node: Node) -> None:
        """Put a node in place of its older form."""
        if old := self.nodes.get(node.number):
            self._forget(old)
        self.nodes[node.number] = node
        self.by_number[node.state].add(node.number)
        self.by_time[node.state].add((node.since, node.number))

    def add(self, numbers: Iterable[int], now: float) -> None:
        """Add nodes."""
        for number in numbers:
            if number < self.above:
                self.holes.remove(number)
            else:
                self.above = number + 1
            self.set(Node(number, NodeState.PREPARING, now))

    def remove(self, numbers: Iterable[int]) -> None:
        """Remove nodes."""
        for number in numbers:
            self._forget(self.nodes.pop(number))
            self.holes.add(number)

    def _forget(self, node: Node) -> None:
        self.by_number[node.state].remove(node.number)
        self.by_time[node.state].remove((node.since, node.number))

    def list(self, running: Running) -> None:
        """Put a gang into the indexes."""
        name, size = running.attempt, len(running.nodes)
        self.gangs.add((running.order, name))
        if running.ending:
            self.ending.add((running.order, name))
        else:
            self.smallest.add((size, running.priority, -running.order, name))
            self.largest.add((-size, running.priority, -running.order, name))

    def unlist(self, running: Running) -> None:
        """Take a gang out of the indexes."""
        name, size = running.attempt, len(running.nodes)
        self.gangs.remove((running.order, name))
        if running.ending:
            self.ending.remove((running.order, name))
        else:
            self.smallest.remove((size, running.priority, -running.order, name))
            self.largest.remove((-size, running.priority, -running.order, name))
