"""What a manual resize may do, by its option."""

from __future__ import annotations

from collections.abc import Iterable

from simulating.model import IDLE, LEAVING, UNUSABLE, Model, require

from bai.runtime.scheduling.instructions import AddNodes, Instruction, RemoveNodes
from bai.runtime.scheduling.records import Deallocation, Ending, ManualScale

_ENDINGS = {
    Deallocation.REQUEUE: Ending.REQUEUE,
    Deallocation.TERMINATE: Ending.TERMINATE,
    Deallocation.WAIT_FOR_JOB_COMPLETION: None,
}


class Resizing:
    """A resize of a cluster: remembers what was before, and checks what was done."""

    def __init__(self, model: Model, cluster: str, scale: ManualScale) -> None:
        """Look at a cluster before a resize."""
        self._model, self._cluster, self._scale = model, cluster, scale
        nodes = model.nodes[cluster]
        self._before = {number: node.state for number, node in nodes.items()}
        self._spare = set(model.spare(cluster))
        self._endings = {name: gang.ending for name, gang in model.running.items()}
        excess = len(nodes) - len(self._spare) - scale.target
        self._fewest = self._fewest_gangs(excess)

    def _fewest_gangs(self, excess: int) -> int:
        """Return how few gangs must end for so many held nodes, beside those that end anyway."""
        gangs = [g for g in self._model.running.values() if g.queued.cluster == self._cluster]
        excess -= sum(len(gang.nodes) for gang in gangs if gang.ending)
        count = 0
        for size in sorted((len(gang.nodes) for gang in gangs if not gang.ending), reverse=True):
            if excess <= 0:
                break
            excess -= size
            count += 1
        return count

    def check(self, instructions: Iterable[Instruction]) -> None:
        """Check the cluster after the resize."""
        model, nodes = self._model, self._model.nodes[self._cluster]
        leaving = {number for number, node in nodes.items() if node.state is LEAVING}
        require(model.size(self._cluster) == self._scale.target, "a resize reaches its target")
        for instruction in instructions:
            if isinstance(instruction, AddNodes):
                require(not leaving, "what leaves stays before nodes are added", leaving)
            if isinstance(instruction, RemoveNodes):
                self._check_order(set(instruction.numbers))
        spare = model.spare(self._cluster)
        require(not (leaving and spare), "nodes without a gang go first", leaving, spare)
        self._check_gangs(leaving)

    def _check_order(self, gone: set[int]) -> None:
        idle_gone = {number for number in gone if self._before[number] is IDLE}
        useless = {n for n in self._spare - gone if self._before[n] is not IDLE}
        require(not (idle_gone and useless), "the useless go before the idle", gone)
        failed = {n for n in useless if self._before[n] is UNUSABLE}
        require(
            not (failed and gone - failed and not all(self._before[n] is UNUSABLE for n in gone)),
            "the unusable go first",
            gone,
        )
        kept = {n for n in self._spare - gone if self._before[n] is IDLE}
        highest = not (idle_gone and kept) or min(idle_gone) > max(kept)
        require(highest, "the highest idle nodes go first", gone, kept)

    def _check_gangs(self, leaving: set[int]) -> None:
        wanted = _ENDINGS[self._scale.deallocation]
        asked = 0
        for name, gang in self._model.running.items():
            if gang.ending is not self._endings[name]:
                asked += 1
                require(gang.ending is wanted, "gangs end as the option says", name, gang)
                require(bool(leaving.intersection(gang.nodes)), "no gang is hurt in vain", name)
            elif gang.queued.cluster == self._cluster and wanted and gang.ending is None:
                require(
                    not leaving.intersection(gang.nodes), "gangs on leaving nodes end", name, gang
                )
        fewest = self._fewest if wanted else 0
        require(asked == fewest, "as few gangs as possible are hurt", asked, fewest)
