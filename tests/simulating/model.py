"""The plain truth of a simulated world, which refuses what must never happen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

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
from bai.runtime.scheduling.records import Ending, NodeState, Queued

IDLE, LEAVING, RUNNING = NodeState.IDLE, NodeState.LEAVING, NodeState.RUNNING
PREPARING, UNUSABLE = NodeState.PREPARING, NodeState.UNUSABLE


class Violation(Exception):  # noqa: N818
    """An invariant does not hold."""

    def __init__(self, invariant: str, what: object = "") -> None:
        super().__init__(f"{invariant}: {what}")
        self.invariant = invariant


def require(holds: bool, invariant: str, *what: object) -> None:
    """Raise a violation unless something holds."""
    if not holds:
        raise Violation(invariant, what)


@dataclass(slots=True)
class Machine:
    """A node."""

    state: NodeState
    since: float
    holder: str | None = None


@dataclass(slots=True)
class Gang:
    """A running attempt."""

    queued: Queued
    nodes: tuple[int, ...]
    ending: Ending | None = None


@dataclass(slots=True)
class SweepModel:
    """The limits of a sweep, and the members that have failed since they were put."""

    concurrency: int | None
    most_failures: int | None
    failures: int = 0

    @property
    def has_failed(self) -> bool:
        """Whether no more members start."""
        return self.most_failures is not None and self.failures >= self.most_failures


@dataclass(slots=True)
class Model:
    """Nodes and attempts in plain dictionaries, without any index."""

    slots: int | None
    overtaking: bool = False
    """Whether younger attempts may overtake on other clusters what lacks slots only."""
    nodes: dict[str, dict[int, Machine]] = field(default_factory=dict)
    queued: dict[str, Queued] = field(default_factory=dict)
    running: dict[str, Gang] = field(default_factory=dict)
    submitted: dict[str, Queued] = field(default_factory=dict)
    """Attempts in the engine's own queue, or started from there."""
    sweeps: dict[str, SweepModel] = field(default_factory=dict)
    held: dict[str, Queued] = field(default_factory=dict)
    """Members of sweeps that are not in a queue yet."""
    started: set[str] = field(default_factory=set)
    """Attempts that have had a run, or were asked to end without one."""

    def alive(self, sweep: str) -> list[Queued]:
        """Return the members of a sweep that are not held and have not ended."""
        running = (gang.queued for gang in self.running.values())
        found = [*self.queued.values(), *running, *self.submitted.values()]
        return [each for each in found if each.sweep == sweep]

    def held_of(self, sweep: str) -> list[Queued]:
        """Return the held members of a sweep, oldest first."""
        found = (each for each in self.held.values() if each.sweep == sweep)
        return sorted(found, key=lambda each: each.order)

    def unstarted(self, sweep: str) -> list[Queued]:
        """Return the members of a sweep that wait for their first run, the held ones last."""
        fresh = (each for each in self.alive(sweep) if each.attempt not in self.started)
        return sorted(fresh, key=lambda each: each.order) + self.held_of(sweep)

    def has_failed(self, queued: Queued) -> bool:
        """Return whether an attempt is a member of a sweep that starts nothing more."""
        return queued.sweep in self.sweeps and self.sweeps[queued.sweep].has_failed

    def line(self, cluster: str) -> list[Queued]:
        """Return the queue of a cluster by rank."""
        return sorted(
            (each for each in self.queued.values() if each.cluster == cluster),
            key=lambda each: each.rank,
        )

    def count(self, cluster: str, state: NodeState) -> int:
        """Return how many nodes of a cluster are in a state."""
        return [node.state for node in self.nodes[cluster].values()].count(state)

    def size(self, cluster: str) -> int:
        """Return how many nodes of a cluster do not leave."""
        return len(self.nodes[cluster]) - self.count(cluster, LEAVING)

    def spare(self, cluster: str) -> list[int]:
        """Return the nodes that no attempt holds."""
        return [number for number, node in self.nodes[cluster].items() if node.holder is None]

    def processes(self) -> int:
        """Return the number of all running processes."""
        return sum([gang.queued.processes for gang in self.running.values()])

    def lacks_slots(self, queued: Queued) -> bool:
        """Return whether an attempt could not start now for want of slots."""
        if self.slots is None or not self.running:
            return False
        return self.processes() + queued.processes > self.slots

    def end(
        self, attempt: str, instructions: Iterable[Instruction], now: float, *, failed: bool
    ) -> None:
        """End a run; all its nodes are let go at once, and leave or become idle."""
        gang = self.running.pop(attempt)
        if failed and gang.queued.sweep in self.sweeps:
            self.sweeps[gang.queued.sweep].failures += 1
        nodes = self.nodes[gang.queued.cluster]
        for number in gang.nodes:
            nodes[number].holder = None
        for instruction in instructions:
            if isinstance(instruction, QueueAgain):
                require(gang.ending is Ending.REQUEUE, "a run again only where asked", attempt)
                self.queued[attempt] = gang.queued
            else:
                self.carry_out(instruction, now)
        for number in gang.nodes:
            state = nodes[number].state if number in nodes else None
            require(state in (IDLE, UNUSABLE, None), "an end frees all nodes", number, state)

    def carry_out(self, instruction: Instruction, now: float) -> None:
        """Carry out an instruction, if that is allowed."""
        match instruction:
            case Start(attempt, cluster, numbers):
                self._start(self.queued[attempt], cluster, numbers, now)
            case Submit(attempt):
                self._submit(attempt)
            case Release(attempt):
                self._release(attempt)
            case Withdraw(attempt, sweep, failures):
                self._withdraw(attempt, sweep, failures)
            case Requeue(attempt):
                self._ask(attempt, Ending.REQUEUE)
            case Terminate(attempt):
                self._ask(attempt, Ending.TERMINATE)
            case AddNodes(cluster, numbers):
                nodes = self.nodes[cluster]
                for number in numbers:
                    require(number not in nodes, "a number has one node", instruction)
                    nodes[number] = Machine(PREPARING, now)
            case RemoveNodes(cluster, numbers):
                for number in numbers:
                    node = self.nodes[cluster].pop(number)
                    require(node.holder is None, "no gang loses a node", instruction)
            case ChangeNodes(cluster, numbers, state):
                for number in numbers:
                    self._change(self.nodes[cluster][number], state, now)

    def _release(self, attempt: str) -> None:
        require(attempt in self.held, "a member is released once", attempt)
        member = self.held[attempt]
        sweep = self.sweeps[str(member.sweep)]
        oldest = self.held_of(str(member.sweep))[0]
        require(oldest == member, "the oldest member is released first", member, oldest)
        within = sweep.concurrency is None or (
            len(self.alive(str(member.sweep))) < sweep.concurrency
        )
        require(within, "no more members are active than the concurrency", member, sweep)
        require(not sweep.has_failed, "after the failures nothing more starts", member, sweep)
        self.queued[attempt] = self.held.pop(attempt)

    def _withdraw(self, attempt: str, name: str, failures: int) -> None:
        sweep = self.sweeps[name]
        true = sweep.has_failed and failures == sweep.failures
        require(true, "members are cancelled after the failures only", attempt, sweep)
        require(attempt not in self.started, "what has started goes on", attempt)
        if attempt in self.submitted:
            # It is the engine's to end it.
            self.started.add(attempt)
            return
        place = self.held if attempt in self.held else self.queued
        require(place.pop(attempt).sweep == name, "members are cancelled with their sweep", attempt)

    def _submit(self, attempt: str) -> None:
        require(attempt in self.queued, "an attempt is handed over once", attempt)
        queued = self.queued.pop(attempt)
        fresh = attempt not in self.started
        stopped = fresh and self.has_failed(queued)
        require(not stopped, "after the failures nothing more starts", queued)
        before = [each for each in self.queued.values() if each.rank < queued.rank]
        require(not before, "priority, then age", queued, before)
        self.submitted[attempt] = queued

    def _ask(self, attempt: str, ending: Ending) -> None:
        gang = self.running[attempt]
        require(gang.ending is None, "an attempt is asked to end once", attempt)
        gang.ending = ending

    def _change(self, node: Machine, state: NodeState, now: float) -> None:
        held = node.holder is not None
        require(not (held and state in (IDLE, PREPARING)), "no gang loses a node", node)
        require(held or state not in (RUNNING, LEAVING), "only held nodes run or leave", node)
        require(node.state is not UNUSABLE or state is not IDLE, "the unusable stays so", node)
        node.state, node.since = state, now

    def _start(self, queued: Queued, cluster: str, numbers: tuple[int, ...], now: float) -> None:
        nodes = self.nodes[cluster]
        require(cluster == queued.cluster, "a gang runs on its cluster", queued)
        require(len(set(numbers)) == queued.nodes, "a gang starts whole", queued, numbers)
        for number in numbers:
            require(number in nodes, "only nodes of the cluster are used", queued, number)
            require(nodes[number].holder is None, "no node is held twice", queued, number)
            require(nodes[number].state is IDLE, "only idle nodes are used", queued, number)
        idle = sorted(number for number, node in nodes.items() if node.state is IDLE)
        require(list(numbers) == idle[: len(numbers)], "the lowest idle nodes", numbers)
        rank = queued.rank
        for other in self.queued.values():
            if other.rank < rank:
                here = other.cluster == cluster
                require(not here, "priority, then age", queued, other)
                self._require_no_overtaking(queued, other)
        require(not self.lacks_slots(queued), "processes stay within slots", queued)
        stopped = queued.attempt not in self.started and self.has_failed(queued)
        require(not stopped, "after the failures nothing more starts", queued)
        del self.queued[queued.attempt]
        self.started.add(queued.attempt)
        self.running[queued.attempt] = Gang(queued, numbers)
        for number in numbers:
            nodes[number] = Machine(RUNNING, now, queued.attempt)

    def _require_no_overtaking(self, queued: Queued, other: Queued) -> None:
        """Refuse that what has its nodes, and lacks slots only, is overtaken on another cluster."""
        if self.overtaking or self.slots is None or self.count(other.cluster, IDLE) < other.nodes:
            return
        first = not any(
            each.rank < other.rank for each in self.queued.values() if each.cluster == other.cluster
        )
        require(not first, "no starvation", queued, other)
