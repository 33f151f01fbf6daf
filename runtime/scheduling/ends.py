"""What happens to nodes, and to the attempt on them, when a run ends or a node is lost."""

from __future__ import annotations

from collections.abc import Iterable

from bai.runtime.scheduling.instructions import (
    ChangeNodes,
    Instruction,
    QueueAgain,
    RemoveNodes,
    Terminate,
)
from bai.runtime.scheduling.records import Ending, NodeState, Running
from bai.runtime.scheduling.view import ClusterView


def released(
    view: ClusterView, running: Running, *, by_itself: bool = False
) -> tuple[Instruction, ...]:
    """Return what there is to do with the nodes of an attempt whose run has ended, and with it.

    It holds none of them any more; an unusable one stays so.

    Args:
        view: the state in which the attempt still holds its nodes.
        running: the attempt.
        by_itself: its ranks all succeeded or one failed, before it was ended from outside. Such an
            attempt is over, even if it was to be queued again.
    """
    nodes = [view.node(running.cluster, number) for number in running.nodes]
    instructions: list[Instruction] = []
    if gone := tuple(n.number for n in nodes if n and n.state is NodeState.LEAVING):
        instructions.append(RemoveNodes(running.cluster, gone))
    if idle := tuple(n.number for n in nodes if n and n.state is NodeState.RUNNING):
        instructions.append(ChangeNodes(running.cluster, idle, NodeState.IDLE))
    if running.ending is Ending.REQUEUE and not by_itself:
        instructions.append(QueueAgain(running.attempt))
    return tuple(instructions)


def nodes_lost(
    view: ClusterView, cluster: str, numbers: Iterable[int]
) -> tuple[ChangeNodes | Terminate, ...]:
    """Return what there is to do when nodes failed: they are unusable, and their gangs end.

    A gang ends whole. A node that leaves goes on leaving.
    """
    nodes = [node for number in numbers if (node := view.node(cluster, number))]
    failed = tuple(node.number for node in nodes if node.state is not NodeState.LEAVING)
    changes = (ChangeNodes(cluster, failed, NodeState.UNUSABLE),) if failed else ()
    gangs = {node.attempt: node.number for node in reversed(nodes) if node.attempt}
    ends = (
        Terminate(attempt, lost_node=number)
        for attempt, number in gangs.items()
        if (running := view.running(attempt)) and running.ending is None
    )
    return *changes, *ends
