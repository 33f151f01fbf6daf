"""What a queued attempt waits for, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass

from bai.compiler.resources.ids import ResourceId
from bai.specs.words import counted


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a queued attempt waits for: its turn, processes, nodes of its cluster, its sweep, ..."""

    job: ResourceId
    """The job that waits."""
    cluster: ResourceId
    unit: str
    """`turn`, `machine`, `process` or `node`: what it waits for. The numbers below count these.

    `turn` is its turn on the cluster, `machine` is its turn to start processes on this machine.
    Or `disk`: it is full, and does not take that the holders have ended; or `engine`: it is in
    the engine's own queue, which has a reason. Or `sweep`: a place among the members of its sweep
    that may run at once.
    """
    needed: int = 0
    """How many it needs; of turns and places in a sweep, the number of jobs that come before it."""
    total: int = 0
    """How many there are: nodes of the cluster, processes or members that may run at once."""
    holders: tuple[tuple[ResourceId, int], ...] = ()
    """The jobs that hold some, and how many; of turns, the job that comes next."""
    others: int = 0
    """How many are held by jobs that are not among `holders`."""
    preparing: int = 0
    """How many nodes are being prepared."""
    unusable: int = 0
    """How many nodes have failed."""
    target: int | None = None
    """How many nodes the cluster is to have, if that is fixed."""
    most: int | None = None
    """How many nodes the cluster may have, if it scales automatically."""
    reason: str = ""
    """What it waits for in the engine's queue, in the engine's words."""
    sweep: str = ""
    """The name of its sweep, if it waits for a place there."""

    @property
    def free(self) -> int:
        """How many nodes or processes are free."""
        held = self.others + sum(count for _, count in self.holders)
        return max(0, self.total - held - self.preparing - self.unusable)

    @property
    def what(self) -> str:
        """What it waits for, in words: `2 nodes of cluster c: 1 of 3 free, first holds 2`."""
        cluster = f"cluster {self.cluster.name}"
        match self.unit:
            case "engine":
                return self.reason
            case "sweep":
                after = f", after {counted(self.needed, 'other')}" if self.needed else ""
                return f"a place in the sweep {self.sweep} ({self.total} at once){after}"
            case "disk":
                jobs = ", ".join(self._named(job) for job, _ in self.holders)
                return f"space on the disk: it is full, and can't take that {jobs} ended"
            case "turn":
                (first, _), others = self.holders[0], self.needed - 1
                and_others = f" and {others} other{'s' if others > 1 else ''}" if others else ""
                return f"its turn on {cluster}, after {self._named(first)}{and_others}"
            case "machine":
                return f"its turn on this machine, after {self._named(self.holders[0][0])}"
            case "process":
                wanted = counted(self.needed, "process", "processes")
                return f"{wanted} of this machine: {self._shares}"
        wanted = counted(self.needed, "node")
        if self.most is not None and self.needed > self.most:
            return f"{wanted}: {cluster} scales to {self.most} at most"
        if self.needed > self.total:
            resizing = self.target is not None and self.target > self.total
            to = f", and is resizing to {self.target}" if resizing else ""
            return f"{wanted}: {cluster} has only {self.total} now{to}"
        return f"{wanted} of {cluster}: {self._shares}"

    def __str__(self) -> str:
        return f"waits for {self.what}"

    @property
    def _shares(self) -> str:
        shares = [f"{self.free} of {self.total} free"]
        shares += (f"{self._named(job)} holds {count}" for job, count in self.holders)
        if self.others:
            shares.append(f"others hold {self.others}")
        if self.preparing:
            shares.append(
                f"{self.preparing} {'is' if self.preparing == 1 else 'are'} being prepared"
            )
        if self.unusable:
            is_or_are = "is" if self.unusable == 1 else "are"
            shares.append(f"{self.unusable} {is_or_are} unusable (`bai get nodes` says why)")
        return ", ".join(shares)

    def _named(self, job: ResourceId) -> str:
        return job.name if job.parent == self.job.parent else f"{job.experiment}/{job.name}"
