"""A state of clusters and attempts in memory, which simulations and measurements decide on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, count, takewhile
from math import inf

from bai.runtime.scheduling.instructions import (
    AddNodes,
    ChangeNodes,
    Instruction,
    QueueAgain,
    Release,
    RemoveNodes,
    Requeue,
    Start,
    Submit,
    Terminate,
    Withdraw,
)
from bai.runtime.scheduling.memory_cluster import MemoryCluster
from bai.runtime.scheduling.memory_sweeps import MemorySweeps
from bai.runtime.scheduling.ordered import Ordered
from bai.runtime.scheduling.records import (
    Counts,
    Ending,
    Node,
    NodeState,
    Queued,
    Running,
)

_GOING = {Requeue: Ending.REQUEUE, Terminate: Ending.TERMINATE}


class MemoryState(MemorySweeps):
    """Clusters and attempts: a `ClusterView`, and what carries out the instructions for it."""

    def __init__(self) -> None:
        """Begin with nothing; a cluster comes with its first node or attempt."""
        super().__init__()
        self._clusters: dict[str, MemoryCluster] = {}
        self._queued: dict[str, Queued] = {}
        self._running: dict[str, tuple[Queued, Running]] = {}
        self._submitted: dict[str, Queued] = {}
        self._by_age: Ordered[tuple[int, str]] = Ordered()
        self._processes = 0

    # The queries of `ClusterView`

    def heads(self) -> Iterable[Queued]:
        """Return the first queued attempt of every cluster that has any, by rank."""
        lines = (cluster.queue for cluster in self._clusters.values() if cluster.queue)
        return [self._queued[name] for *_, name in sorted(next(iter(line)) for line in lines)]

    def queue(self, cluster: str) -> Iterator[Queued]:
        """Return the queued attempts of a cluster by rank."""
        return (self._queued[name] for *_, name in self._cluster(cluster).queue)

    def before(self, queued: Queued) -> int:
        """Return how many queued attempts of its cluster come before this one."""
        return self._cluster(queued.cluster).queue.before((*queued.rank, queued.attempt))

    def processes(self) -> int:
        """Return the number of processes of all running attempts."""
        return self._processes

    def counts(self, cluster: str) -> Counts:
        """Return the numbers of a cluster."""
        found = self._cluster(cluster)
        numbers = found.by_number
        return Counts(
            preparing=len(numbers[NodeState.PREPARING]),
            idle=len(numbers[NodeState.IDLE]),
            running=len(numbers[NodeState.RUNNING]),
            leaving=len(numbers[NodeState.LEAVING]),
            unusable=len(numbers[NodeState.UNUSABLE]),
            queued_nodes=found.queued_nodes,
        )

    def node(self, cluster: str, number: int) -> Node | None:
        """Return a node of a cluster; None if it has no such node."""
        return self._cluster(cluster).nodes.get(number)

    def nodes(
        self, cluster: str, state: NodeState, *, highest_first: bool = False
    ) -> Iterator[Node]:
        """Return the nodes of a cluster in a state, by number."""
        found = self._cluster(cluster)
        numbers = found.by_number[state]
        return (found.nodes[each] for each in (reversed(numbers) if highest_first else numbers))

    def nodes_outside(
        self, cluster: str, state: NodeState, begin: float, end: float
    ) -> Iterator[Node]:
        """Return the nodes in a state that they came into before `begin` or after `end`."""
        found = self._cluster(cluster)
        times = found.by_time[state]
        earlier = takewhile(lambda stamp: stamp[0] < begin, times)
        return (found.nodes[each] for _, each in chain(earlier, times.starting((end, inf))))

    def absent(self, cluster: str) -> Iterator[int]:
        """Return the numbers that no node of a cluster has, from 0 on, without end."""
        found = self._cluster(cluster)
        return chain(found.holes, count(found.above))

    def running(self, attempt: str) -> Running | None:
        """Return a running attempt; None if it is not running."""
        return self._running[attempt][1] if attempt in self._running else None

    def gangs(self, cluster: str, at_least: int) -> Iterator[Running]:
        """Return running attempts not asked to end with so many nodes, the smallest first."""
        found = self._cluster(cluster).smallest.starting((at_least,))
        return (self._running[name][1] for *_, name in found)

    def largest_gangs(self, cluster: str) -> Iterator[Running]:
        """Return running attempts not asked to end, those with more nodes first."""
        return (self._running[name][1] for *_, name in self._cluster(cluster).largest)

    def ending(self, cluster: str) -> Iterator[Running]:
        """Return running attempts that were asked to end, oldest first."""
        return (self._running[name][1] for _, name in self._cluster(cluster).ending)

    def node_holders(self, cluster: str) -> Iterator[tuple[str, int]]:
        """Return jobs and how many running nodes of a cluster they hold."""
        found = self._cluster(cluster)
        for _, name in found.gangs:
            gang = self._running[name][1]
            states = [found.nodes[number].state for number in gang.nodes]
            if held := states.count(NodeState.RUNNING):
                yield gang.job, held

    def process_holders(self) -> Iterator[tuple[str, int]]:
        """Return jobs and how many processes they run, on every cluster, oldest first."""
        gangs = (self._running[name][1] for _, name in self._by_age)
        return ((gang.job, gang.processes) for gang in gangs)

    # What happens

    def put(self, queued: Queued, *, held: bool = False) -> None:
        """Queue a new attempt, or hold it."""
        self.add_member(queued, held=held)
        if not held:
            self._enqueue(queued)

    def withdraw(self, attempt: str) -> None:
        """End an attempt that is queued or held."""
        held = self.held_member(attempt)
        self.end_member(held or self._dequeue(attempt))

    def end_submitted(self, attempt: str, *, again: bool, failed: bool = False) -> None:
        """Record that an attempt has left the engine's queue, to be queued again or for good."""
        queued = self._submitted.pop(attempt)
        if again:
            self.start_member(attempt)
            self._enqueue(queued)
        else:
            self.end_member(queued, failed=failed)

    def ask_to_end(self, attempt: str, ending: Ending) -> None:
        """Record that a running attempt was asked to end."""
        queued, running = self._running[attempt]
        cluster = self._cluster(running.cluster)
        cluster.unlist(running)
        self._running[attempt] = queued, replace(running, ending=ending)
        cluster.list(self._running[attempt][1])

    def end(
        self,
        attempt: str,
        instructions: Iterable[Instruction],
        now: float,
        *,
        failed: bool = False,
    ) -> None:
        """Record that the run of an attempt ended, and carry out what `released` says to it."""
        queued, running = self._running.pop(attempt)
        cluster = self._cluster(running.cluster)
        for number in running.nodes:
            cluster.set(replace(cluster.nodes[number], attempt=None))
        cluster.unlist(running)
        self._by_age.remove((running.order, attempt))
        self._processes -= running.processes
        again = False
        for instruction in instructions:
            if isinstance(instruction, QueueAgain):
                again = True
                self._enqueue(queued)
            else:
                self.carry_out([instruction], now)
        if not again:
            self.end_member(queued, failed=failed)

    def carry_out(self, instructions: Iterable[Instruction], now: float) -> None:
        """Carry out instructions."""
        for instruction in instructions:
            match instruction:
                case Start(attempt, _, numbers):
                    self._start(attempt, numbers, now)
                case Submit(attempt):
                    self._submitted[attempt] = self._dequeue(attempt)
                case Release(attempt):
                    self._enqueue(self.release_member(attempt))
                case Withdraw(attempt) if attempt in self._submitted:
                    # It is the engine's to end it.
                    self.start_member(attempt)
                case Withdraw(attempt):
                    self.withdraw(attempt)
                case Requeue(attempt) | Terminate(attempt):
                    self.ask_to_end(attempt, _GOING[type(instruction)])
                case AddNodes(cluster, numbers):
                    self._cluster(cluster).add(numbers, now)
                case RemoveNodes(cluster, numbers):
                    self._cluster(cluster).remove(numbers)
                case ChangeNodes(cluster, numbers, state):
                    self.change(cluster, numbers, state, now)

    def change(self, cluster: str, numbers: Iterable[int], state: NodeState, now: float) -> None:
        """Change the state of nodes; their holders stay."""
        found = self._cluster(cluster)
        for number in numbers:
            found.set(replace(found.nodes[number], state=state, since=now))

    def _start(self, attempt: str, numbers: tuple[int, ...], now: float) -> None:
        queued = self._dequeue(attempt)
        self.start_member(attempt)
        running = Running(
            attempt,
            queued.job,
            queued.cluster,
            numbers,
            queued.processes,
            queued.priority,
            queued.order,
        )
        self._running[attempt] = queued, running
        self._by_age.add((running.order, attempt))
        self._processes += running.processes
        cluster = self._cluster(running.cluster)
        for number in numbers:
            cluster.set(Node(number, NodeState.RUNNING, now, attempt))
        cluster.list(running)

    def _enqueue(self, queued: Queued) -> None:
        self._queued[queued.attempt] = queued
        cluster = self._cluster(queued.cluster)
        cluster.queue.add((*queued.rank, queued.attempt))
        cluster.queued_nodes += queued.nodes

    def _dequeue(self, attempt: str) -> Queued:
        queued = self._queued.pop(attempt)
        cluster = self._cluster(queued.cluster)
        cluster.queue.remove((*queued.rank, attempt))
        cluster.queued_nodes -= queued.nodes
        return queued

    def _cluster(self, name: str) -> MemoryCluster:
        found = self._clusters.get(name)
        if found is None:
            found = self._clusters[name] = MemoryCluster()
        return found
