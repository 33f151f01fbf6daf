"""What holds after every step."""

from __future__ import annotations

from collections.abc import Iterable

from simulating.model import IDLE, LEAVING, PREPARING, RUNNING, UNUSABLE, Machine, Model, require
from simulating.world import World

from bai.runtime.jobs.waiting import Waiting
from bai.runtime.scheduling.records import AutoScale, ManualScale, NodeState, Queued


def check(world: World) -> None:
    """Check all but the reasons for waits."""
    model = world.model
    lines: dict[str, list[Queued]] = {cluster: [] for cluster in world.clusters}
    for queued in sorted(model.queued.values(), key=lambda each: each.rank):
        lines[queued.cluster].append(queued)
    held = 0
    for cluster, scale in world.scales.items():
        states = [node.state for node in model.nodes[cluster].values()]
        size = len(states) - states.count(LEAVING)
        held += _check_holders(model.nodes[cluster].values())
        if isinstance(scale, AutoScale):
            _check_automatic(scale, size, states, lines[cluster])
        else:
            require(size == scale.target, "a cluster has its target", cluster, size, scale)
    for name, gang in model.running.items():
        nodes = model.nodes[gang.queued.cluster]
        held -= len(gang.nodes)
        for number in gang.nodes:
            require(nodes[number].holder == name, "gangs all or nothing", name, number)
    require(held == 0, "gangs all or nothing", held)
    if world.slots is not None:
        within = model.processes() <= world.slots or len(model.running) == 1
        require(within, "processes stay within slots", model.running)
    check_sweeps(model)
    able = could_start(model, [line[0] for line in lines.values() if line])
    require(not able, "nothing that could start is queued", able)


def check_sweeps(model: Model) -> None:
    """Check that no member of a sweep is held in vain, and none is left after the failures."""
    for name, sweep in model.sweeps.items():
        held = model.held_of(name)
        active = len(model.alive(name))
        room = sweep.concurrency is None or active < sweep.concurrency
        require(not (held and room), "no member is held while there is room", name, sweep, active)
        left = sweep.has_failed and model.unstarted(name)
        require(not left, "after the failures no member is left", name, sweep, left)


def could_start(model: Model, heads: list[Queued]) -> list[Queued]:
    """Return which of the first attempts could start now, by the rules in plain words."""
    found = []
    for head in sorted(heads, key=lambda each: each.rank):
        if model.count(head.cluster, IDLE) < head.nodes:
            continue
        if model.lacks_slots(head):
            break
        found.append(head)
    return found


def _check_automatic(
    scale: AutoScale, size: int, states: list[NodeState], line: list[Queued]
) -> None:
    require(size >= scale.minimum, "never below the minimum", size, scale)
    require(size <= scale.maximum, "never above the maximum", size, scale)
    if line and line[0].nodes <= scale.maximum:
        needed = states.count(RUNNING) + sum(each.nodes for each in line)
        enough = size - states.count(UNUSABLE) >= needed or size == scale.maximum
        require(enough, "up at once to what is needed", size, needed, scale)


def _check_holders(nodes: Iterable[Machine]) -> int:
    """Check that states and holders agree; return how many nodes are held."""
    held = 0
    for node in nodes:
        if node.holder is None:
            agrees = node.state is not RUNNING and node.state is not LEAVING
        else:
            held += 1
            agrees = node.state is not IDLE and node.state is not PREPARING
        require(agrees, "nodes run or leave exactly while they are held", node)
    return held


def check_waits(world: World) -> None:
    """Check that every queued or held attempt waits for a true reason."""
    for held in world.model.held.values():
        wait = world.rules.held_waiting(world.state, held)
        true = wait is not None and wait.unit == "sweep" and _true_place(world, held, wait)
        require(true, "every wait has a true reason", held, wait)
    for queued in world.model.queued.values():
        scale = world.scales[queued.cluster]
        wait = world.rules.waiting(world.state, queued, world.slots, scale)
        require(wait is not None, "every wait has a true reason", queued)
        truth = {
            "turn": _true_turn,
            "node": _true_nodes,
            "machine": _true_machine,
            "process": _true_processes,
        }[wait.unit]
        true = truth(world, queued, wait) and str(wait.job) == queued.job and "waits" in str(wait)
        require(true, "every wait has a true reason", queued, wait)


def _true_place(world: World, held: Queued, wait: Waiting) -> bool:
    sweep = world.model.sweeps[str(held.sweep)]
    return (
        str(wait.job) == held.job
        and wait.total == sweep.concurrency
        and wait.needed == world.model.held_of(str(held.sweep)).index(held)
        and f"{wait.total} at once" in str(wait)
    )


def _true_turn(world: World, queued: Queued, wait: Waiting) -> bool:
    line = world.model.line(queued.cluster)
    names = [(str(job), count) for job, count in wait.holders]
    return wait.needed == line.index(queued) > 0 and names == [(line[0].job, 1)]


def _true_nodes(world: World, queued: Queued, wait: Waiting) -> bool:
    model, cluster = world.model, queued.cluster
    nodes = model.nodes[cluster].values()
    held: dict[str, int] = {}
    for node in nodes:
        if node.state is RUNNING:
            job = model.running[str(node.holder)].queued.job
            held[job] = held.get(job, 0) + 1
    return (
        model.line(cluster)[0] == queued
        and wait.free == model.count(cluster, IDLE) < wait.needed == queued.nodes
        and wait.total == model.size(cluster)
        and wait.preparing == model.count(cluster, PREPARING)
        and wait.unusable == model.count(cluster, UNUSABLE)
        and (wait.target, wait.most) == _limits(world.scales[cluster])
        and _named(wait, held)
    )


def _limits(scale: ManualScale | AutoScale) -> tuple[int | None, int | None]:
    if isinstance(scale, AutoScale):
        return None, scale.maximum
    return scale.target, None


def _true_machine(world: World, queued: Queued, wait: Waiting) -> bool:
    model = world.model
    ((job, _),) = wait.holders
    first = next(each for each in model.queued.values() if each.job == str(job))
    return (
        first.rank < queued.rank
        and model.line(queued.cluster)[0] == queued
        and model.line(first.cluster)[0] == first != queued
        and model.count(first.cluster, IDLE) >= first.nodes
        and model.lacks_slots(first)
    )


def _true_processes(world: World, queued: Queued, wait: Waiting) -> bool:
    model = world.model
    held = {gang.queued.job: gang.queued.processes for gang in model.running.values()}
    return (
        model.lacks_slots(queued)
        and wait.total == world.slots
        and wait.free == max(0, wait.total - sum(held.values()))
        and wait.needed == queued.processes
        and model.line(queued.cluster)[0] == queued
        and model.count(queued.cluster, IDLE) >= queued.nodes
        and _named(wait, held)
    )


def _named(wait: Waiting, held: dict[str, int]) -> bool:
    named = {str(job): count for job, count in wait.holders}
    known = all(held.get(job) == count for job, count in named.items())
    all_named = len(named) == min(5, len(held))
    return known and all_named and wait.others == sum(held.values()) - sum(named.values())
