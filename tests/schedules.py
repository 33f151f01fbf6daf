"""States of clusters for tests of scheduling."""

from collections.abc import Mapping

from bai.runtime.scheduling.ends import released
from bai.runtime.scheduling.instructions import AddNodes, Start
from bai.runtime.scheduling.memory import MemoryState
from bai.runtime.scheduling.records import NodeState, Queued
from bai.runtime.scheduling.starts import schedule

_BASE = "/subscriptions/0/resourceGroups/g/providers/Microsoft.BatchAI/workspaces/w"
A, B = (f"{_BASE}/clusters/{name}" for name in "ab")


class State(MemoryState):
    """Clusters of idle nodes, and attempts named like their jobs."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        super().__init__()
        self._orders = 0
        for cluster, size in sizes.items():
            self.carry_out([AddNodes(cluster, tuple(range(size)))], 0)
            self.change(cluster, range(size), NodeState.IDLE, 0)

    def add(
        self, name: str, cluster: str, nodes: int, processes: int = 1, priority: int = 1
    ) -> None:
        """Queue the youngest attempt."""
        self._orders += 1
        job = f"{_BASE}/experiments/e/jobs/{name}"
        self.put(Queued(name, job, cluster, nodes, processes, priority, self._orders))

    def end_run(self, name: str, *, by_itself: bool = False) -> None:
        """End the run of an attempt."""
        running = self.running(name)
        assert running
        self.end(name, released(self, running, by_itself=by_itself), 0)

    def queued(self, attempt: str) -> Queued:
        """Return a queued attempt."""
        return self._queued[attempt]

    def schedule(self, slots: int | None) -> tuple[Start, ...]:
        """Start what can start, and return it."""
        starts = schedule(self, slots)
        self.carry_out(starts, 0)
        return starts

    def states(self, cluster: str) -> dict[NodeState, list[int]]:
        """Return the numbers of nodes in each state."""
        found = {state: [node.number for node in self.nodes(cluster, state)] for state in NodeState}
        return {state: numbers for state, numbers in found.items() if numbers}
