"""A simulated world: clusters, users, failures and a virtual clock around the real decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from simulating.model import IDLE, PREPARING, UNUSABLE, Model, SweepModel, require
from simulating.resizing import Resizing
from simulating.rules import Rules

from bai.runtime.scheduling.instructions import Instruction, RemoveNodes
from bai.runtime.scheduling.memory import MemoryState
from bai.runtime.scheduling.records import (
    AutoScale,
    Deallocation,
    Ending,
    ManualScale,
    NodeState,
    Queued,
)

BASE = "/subscriptions/0/resourceGroups/g/providers/Microsoft.BatchAI/workspaces/w"
SWEEPS = tuple(f"{BASE}/experiments/e/sweeps/s{number}" for number in range(2))
CLUSTERS = tuple(f"{BASE}/clusters/c{number}" for number in range(3))
IDLE_TIME = 300.0
_MOST_QUEUED = 8
_SIZES = (*(1, 1, 1, 2, 2, 3, 3, 4) * 4, 6, 9)
_JUMPS = (1.0, 60.0, 290.0, 301.0, 4000.0, 1e8, -1.0, -250.0, -4000.0, -1e8)


class Step(NamedTuple):
    """Something that happens, and three numbers that say to what; any numbers will do."""

    kind: str
    a: int = 0
    b: int = 0
    c: int = 0


class World:
    """Does steps, each followed by a keeper step, in the state under test and in the model."""

    def __init__(
        self,
        slots: int | None,
        sizes: Sequence[int],
        rules: Rules | None = None,
        state: Any = None,
    ) -> None:
        """Make clusters of prepared nodes, as many as there are sizes."""
        self.rules = rules or Rules()
        self.state = MemoryState() if state is None else state
        self.model = Model(slots)
        self.slots = slots
        self.scales: dict[str, ManualScale | AutoScale] = {}
        self.clock = 1e9
        self.orders = 0
        self.names: dict[str, int] = {}
        for cluster, size in zip(CLUSTERS, sizes, strict=False):
            self.model.nodes[cluster] = {}
            self.scales[cluster] = ManualScale(size)
            self.carry_out(self.rules.first_nodes(cluster, self.scales[cluster]))
            self.change(cluster, range(size), IDLE)
        self.clusters = tuple(self.scales)

    def do(self, step: Step) -> None:
        """Do a step, and what a keeper does after it."""
        _STEPS[step.kind](self, step)
        self.keep()

    def keep(self) -> None:
        """Take a keeper step: release members of sweeps, scale, then start what can start."""
        self.carry_out(self.rules.members(self.state))
        for cluster, scale in self.scales.items():
            if isinstance(scale, AutoScale):
                self._autoscale(cluster, scale)
        self.carry_out(self.rules.schedule(self.state, self.slots))

    def carry_out(self, instructions: Iterable[Instruction]) -> None:
        """Carry out instructions in the model, which checks them, and in the state."""
        for instruction in instructions:
            self.model.carry_out(instruction, self.clock)
            self.state.carry_out([instruction], self.clock)

    # What users do

    def put_sweep(self, step: Step) -> None:
        """Put new limits of a sweep."""
        sweep = SWEEPS[step.a % len(SWEEPS)]
        concurrency, failures = (1, 2, 3, None)[step.b % 4], (None, 1, 2, 3)[step.c % 4]
        self.model.sweeps[sweep] = SweepModel(concurrency, failures)
        self.state.put_sweep(sweep, concurrency, failures)

    def put_members(self, step: Step) -> None:
        """Put members of a sweep, which need not have limits."""
        sweep = SWEEPS[step.b % len(SWEEPS)]
        for number in range(1 + step.c % 4):
            if len(self.model.held) < _MOST_QUEUED:
                self.put(step._replace(b=step.b + number), sweep)

    def put(self, step: Step, sweep: str | None = None) -> None:
        if len(self.model.queued) >= _MOST_QUEUED:
            self._withdraw(min(self.model.queued.values(), key=lambda each: each.rank).attempt)
        nodes = _SIZES[step.b % len(_SIZES)]
        priority = (1, 1, 1, 1, 0, 2)[step.c % 6]
        cluster = self.clusters[step.a % len(self.clusters)]
        self.queue(cluster, nodes, nodes * (1 + step.b // 64 % 2), priority, sweep)

    def queue(
        self,
        cluster: str,
        nodes: int,
        processes: int,
        priority: int = 1,
        sweep: str | None = None,
    ) -> str:
        """Queue the youngest attempt, or hold it as a member of a sweep; return its name."""
        self.orders += 1
        name = f"j{self.orders}"
        job = f"{BASE}/experiments/e/jobs/{name}"
        queued = Queued(name, job, cluster, nodes, processes, priority, self.orders, sweep)
        limits = self.model.sweeps.get(sweep or "")
        held = limits is not None and limits.concurrency is not None
        (self.model.held if held else self.model.queued)[name] = queued
        self.state.put(queued, held=held)
        return name

    def cancel(self, step: Step) -> None:
        names = [*self.model.queued, *self.model.held, *self.model.running]
        if not names:
            return
        name = names[step.a % len(names)]
        if name not in self.model.running:
            self._withdraw(name)
        else:
            self.model.running[name].ending = Ending.TERMINATE
            self.state.ask_to_end(name, Ending.TERMINATE)

    def resize(self, step: Step) -> None:
        cluster = self.clusters[step.a % len(self.clusters)]
        scale = ManualScale(step.b % 12, tuple(Deallocation)[step.c % 3])
        self.scales[cluster] = scale
        instructions = self.rules.resize(self.state, cluster, scale)
        resizing = Resizing(self.model, cluster, scale)
        self.carry_out(instructions)
        resizing.check(instructions)

    def scale_automatically(self, step: Step) -> None:
        cluster = self.clusters[step.a % len(self.clusters)]
        least = step.b % 4
        self.scales[cluster] = AutoScale(least, least + step.c % 10, step.b % 5)

    # What runs and nodes do

    def end(self, step: Step) -> None:
        if names := list(self.model.running):
            self._end(names[step.a % len(names)], by_itself=True, failed=step.b % 3 == 0)

    def kill(self, step: Step) -> None:
        """Lose a supervisor."""
        if names := list(self.model.running):
            self._end(names[step.a % len(names)], by_itself=False)

    def obey(self, step: Step) -> None:
        """End a run as it was asked to."""
        if names := [name for name, gang in self.model.running.items() if gang.ending]:
            self._end(names[step.a % len(names)], by_itself=False)

    def prepared(self, step: Step) -> None:
        """Finish the preparation of some nodes."""
        cluster = self.clusters[step.a % len(self.clusters)]
        found = [n for n, node in self.model.nodes[cluster].items() if node.state is PREPARING]
        self.change(cluster, found[: 1 + step.b % 4], IDLE)

    def lose(self, step: Step) -> None:
        cluster = self.clusters[step.a % len(self.clusters)]
        if numbers := list(self.model.nodes[cluster]):
            lost = {numbers[step.b % len(numbers)], numbers[step.c % len(numbers)]}
            self.carry_out(self.rules.nodes_lost(self.state, cluster, sorted(lost)))
            for number in lost:
                gang = self.model.running.get(self.model.nodes[cluster][number].holder or "")
                require(gang is None or gang.ending is not None, "a gang ends whole", gang)

    def recover(self, step: Step) -> None:
        cluster = self.clusters[step.a % len(self.clusters)]
        nodes = self.model.nodes[cluster]
        found = [n for n, node in nodes.items() if node.state is UNUSABLE and not node.holder]
        self.change(cluster, found[: 1 + step.b % 2], PREPARING)

    def tick(self, step: Step) -> None:
        """Let the clock go, or jump."""
        self.clock += _JUMPS[step.a % len(_JUMPS)]

    def _withdraw(self, name: str) -> None:
        (self.model.held if name in self.model.held else self.model.queued).pop(name)
        self.state.withdraw(name)

    def _end(self, name: str, *, by_itself: bool, failed: bool = False) -> None:
        running = self.state.running(name)
        instructions = self.rules.released(self.state, running, by_itself=by_itself)
        gang = self.model.running[name]
        nodes = self.model.nodes[gang.queued.cluster]
        leaving = [n for n in gang.nodes if nodes[n].state is NodeState.LEAVING]
        self.model.end(name, instructions, self.clock, failed=failed)
        self.state.end(name, instructions, self.clock, failed=failed)
        require(not nodes.keys() & leaving, "what leaves goes at the end of its gang", leaving)
        again = gang.ending is Ending.REQUEUE and not by_itself
        require((name in self.model.queued) == again, "queued again exactly where asked", gang)
        require(not again or self.model.queued[name] == gang.queued, "keeps priority and age", gang)

    def _autoscale(self, cluster: str, scale: AutoScale) -> None:
        instructions = self.rules.autoscale(
            self.state, cluster, scale, now=self.clock, idle_time=IDLE_TIME
        )
        if self.model.size(cluster) <= scale.maximum:
            for instruction in instructions:
                if isinstance(instruction, RemoveNodes):
                    self._check_idle(cluster, instruction.numbers)
        self.carry_out(instructions)

    def _check_idle(self, cluster: str, numbers: Iterable[int]) -> None:
        for number in numbers:
            node = self.model.nodes[cluster][number]
            fresh = self.clock - IDLE_TIME <= node.since <= self.clock
            require(not fresh, "only what was idle for long goes", number, node)
            require(node.state in (IDLE, UNUSABLE), "only idle nodes go", number, node)

    def change(self, cluster: str, numbers: Iterable[int], state: NodeState) -> None:
        numbers = tuple(numbers)
        for number in numbers:
            node = self.model.nodes[cluster][number]
            node.state, node.since = state, self.clock
        self.state.change(cluster, numbers, state, self.clock)


_STEPS: dict[str, Callable[[World, Step], None]] = {
    "put": World.put,
    "sweep": World.put_sweep,
    "members": World.put_members,
    "cancel": World.cancel,
    "resize": World.resize,
    "autoscale": World.scale_automatically,
    "end": World.end,
    "kill": World.kill,
    "obey": World.obey,
    "prepared": World.prepared,
    "lose": World.lose,
    "recover": World.recover,
    "tick": World.tick,
}

KINDS = (
    *("put",) * 12,
    *("members",) * 6,
    *("sweep",) * 2,
    *("end",) * 10,
    *("prepared",) * 12,
    *("obey",) * 3,
    *("recover",) * 3,
    *("resize",) * 3,
    *("autoscale", "cancel", "kill", "lose", "lose", "tick", "tick"),
)
"""The kinds of steps, as often as they are to happen."""
