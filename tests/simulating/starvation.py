"""An adversary that tries to keep one attempt waiting by putting others that are alike."""

from __future__ import annotations

from simulating.model import IDLE, PREPARING, UNUSABLE
from simulating.rules import Rules
from simulating.runs import episode
from simulating.world import Step, World

from bai.runtime.scheduling.records import ManualScale

_SIZE = 10
"""Nodes of each cluster: more than any attempt needs."""
_LINE = 3
"""How many attempts the adversary keeps queued on each cluster."""


def rounds_until_start(seed: int, rules: Rules | None = None) -> tuple[int, int]:
    """Return after how many rounds a large attempt started, and how many there may be.

    The world is one that random steps have led to. In each round the adversary puts a small attempt
    on every cluster, nodes become usable, and the attempt that has run for longest ends: so all
    that came before the large one have their turn, and then it must. The model does not look for
    overtaking here, so that only the wait counts.
    """
    setting, steps = episode(seed)
    world = World(setting.slots, (setting.sizes * 3)[:3], rules)
    world.model.overtaking = True
    for step in steps[: seed * 7]:
        world.do(step)
    for cluster in world.clusters:
        world.scales[cluster] = ManualScale(_SIZE)
        world.carry_out(world.rules.resize(world.state, cluster, world.scales[cluster]))
    name = world.queue(world.clusters[0], 4, 4)
    most = (len(world.model.queued) + 1) * (len(world.clusters) * _SIZE + 1)
    rounds = 0
    while name in world.model.queued and rounds <= most:
        rounds += 1
        for cluster in world.clusters:
            nodes = world.model.nodes[cluster]
            for state, next_state in ((UNUSABLE, PREPARING), (PREPARING, IDLE)):
                found = [n for n, node in nodes.items() if node.state is state and not node.holder]
                world.change(cluster, found, next_state)
            if len(world.model.line(cluster)) < _LINE:
                world.queue(cluster, 1, 1)
            world.keep()
        world.do(Step("end"))
    return rounds, most
