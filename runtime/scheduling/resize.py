"""How a cluster comes to a fixed number of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from bai.runtime.scheduling.instructions import (
    AddNodes,
    ChangeNodes,
    Instruction,
    RemoveNodes,
    Requeue,
    Terminate,
)
from bai.runtime.scheduling.records import Deallocation, ManualScale, NodeState, Running
from bai.runtime.scheduling.view import ClusterView

_SPARE = NodeState.UNUSABLE, NodeState.PREPARING, NodeState.IDLE
"""States of nodes that may go without harm, the most useless first."""


def resize(view: ClusterView, cluster: str, scale: ManualScale) -> tuple[Instruction, ...]:
    """Return what brings a cluster to its target; to be asked when its scale was set.

    Up: nodes that leave stay after all, then new ones are added. Down: nodes that no attempt holds
    go first, the unusable, then those in preparation, then idle ones, the highest numbers first;
    then nodes of attempts that end anyway; then those of as few other attempts as possible, and of
    those the smallest, the lowest in priority and the youngest. All held nodes leave when their
    attempts have ended, and the deallocation option says what those attempts are asked.

    Costs what it changes, plus a look at the nodes that leave already.
    """
    counts = view.counts(cluster)
    leaving = tuple(node.number for node in view.nodes(cluster, NodeState.LEAVING))
    excess = counts.size + len(leaving) - scale.target
    spare = tuple(islice(_spare(view, cluster), max(0, excess)))
    patient = scale.deallocation is Deallocation.WAIT_FOR_JOB_COMPLETION
    # Without an end of their attempts, it is best to go on with those that leave already.
    first = tuple(reversed(leaving)) if patient else ()
    held, gangs = _held(view, cluster, max(0, excess - len(spare)), first)
    kept = tuple(number for number in leaving if number not in held)
    drained = tuple(sorted(held.difference(leaving)))
    instructions: list[Instruction] = []
    if spare:
        instructions.append(RemoveNodes(cluster, tuple(sorted(spare))))
    if kept:
        instructions.append(ChangeNodes(cluster, kept, NodeState.RUNNING))
    if drained:
        instructions.append(ChangeNodes(cluster, drained, NodeState.LEAVING))
    if excess < 0:
        instructions.append(AddNodes(cluster, tuple(islice(view.absent(cluster), -excess))))
    if not patient:
        ask = Requeue if scale.deallocation is Deallocation.REQUEUE else Terminate
        instructions += (ask(gang.attempt) for gang in gangs)
    return tuple(instructions)


def _spare(view: ClusterView, cluster: str) -> Iterator[int]:
    """Return the nodes that no attempt holds, those that should go first."""
    nodes = (view.nodes(cluster, state, highest_first=True) for state in _SPARE)
    return (node.number for node in chain.from_iterable(nodes) if node.attempt is None)


def _held(
    view: ClusterView, cluster: str, needed: int, first: Iterable[int]
) -> tuple[set[int], list[Running]]:
    """Choose held nodes to leave; return them, and the attempts hurt that don't end anyway."""
    chosen = set(islice(first, needed))
    for gang in view.ending(cluster) if len(chosen) < needed else ():
        chosen |= _highest(gang, needed - len(chosen), chosen)
    hurt: dict[str, Running] = {}
    largest = view.largest_gangs(cluster)
    while (lacking := needed - len(chosen)) > 0:
        # With the largest first until one has all the rest, no choice hurts fewer.
        fitting = view.gangs(cluster, lacking)
        others = (gang for gang in chain(fitting, largest) if gang.attempt not in hurt)
        if (found := next(others, None)) is None:
            break
        hurt[found.attempt] = found
        chosen |= _highest(found, lacking, chosen)
    return chosen, list(hurt.values())


def _highest(gang: Running, count: int, chosen: set[int]) -> set[int]:
    """Return up to `count` of a gang's highest nodes that are not chosen yet."""
    others = (number for number in sorted(gang.nodes, reverse=True) if number not in chosen)
    return set(islice(others, count))
