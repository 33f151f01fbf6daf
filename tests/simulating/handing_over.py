"""A simulated world whose engine has a queue of its own: all that is queued is handed over."""

from __future__ import annotations

from random import Random
from typing import Any

from simulating.invariants import check_sweeps
from simulating.model import Violation, require
from simulating.rules import Rules
from simulating.world import Step, World

from bai.runtime.scheduling.instructions import Withdraw

_LENGTH = 100


class QueueingWorld(World):
    """Does steps, each followed by a keeper step."""

    def __init__(self, rules: Rules | None = None, state: Any = None) -> None:
        """Make clusters without nodes: those are the engine's."""
        super().__init__(None, (0, 0, 0), rules, state)

    def do(self, step: Step) -> None:
        """Do a step, and what a keeper does after it."""
        if step.kind == "sweep":
            self.put_sweep(step)
        elif step.kind == "members":
            self.put_members(step)
        elif step.kind == "put":
            # Several commands may put jobs before any of them takes a keeper step.
            for more in range(1 + step.a % 4):
                self.put(Step("put", step.a + more, step.b, step.c + more))
        elif names := list(self.model.submitted):
            self._leave(names[step.a % len(names)], step)
        self.keep()

    def keep(self) -> None:
        """Take a keeper step, after which nothing waits in bai but held members of sweeps."""
        decided = self.rules.members(self.state)
        self.carry_out(decided)
        for each in decided:
            if isinstance(each, Withdraw) and each.attempt in self.model.submitted:
                self._leave(each.attempt, Step("end"))
        self.carry_out(self.rules.submit(self.state))
        require(not self.model.queued, "nothing waits in bai", self.model.queued)
        check_sweeps(self.model)

    def _leave(self, name: str, step: Step) -> None:
        queued = self.model.submitted.pop(name)
        again, failed = step.kind == "again", step.kind == "fail"
        self.state.end_submitted(name, again=again, failed=failed)
        if again:
            self.model.started.add(name)
            self.model.queued[name] = queued
        elif failed and queued.sweep in self.model.sweeps:
            self.model.sweeps[queued.sweep].failures += 1


def steps_of(seed: int) -> list[Step]:
    """Return the steps of a seed: jobs are put, end, and are to run again."""
    random = Random(seed)
    kinds = (*("put", "members", "end", "again") * 3, "sweep", "fail")
    return [Step(random.choice(kinds), *random.choices(range(256), k=3)) for _ in range(_LENGTH)]


def broken(seed: int, rules: Rules) -> str | None:
    """Return the invariant that decisions violate, None if all hold."""
    world = QueueingWorld(rules)
    try:
        for step in steps_of(seed):
            world.do(step)
    except Violation as error:
        return error.invariant
    return None
