"""What a queued attempt waits for."""

from __future__ import annotations

from dataclasses import dataclass

from bai.compiler.resources.ids import ResourceId


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a queued attempt waits for: its turn, processes, nodes of its cluster, or the disk."""

    job: ResourceId
    """The job that waits."""
    cluster: ResourceId
    unit: str
    """`turn`, `process` or `node`: what it waits for. The numbers below count these.

    Or `disk`: it is full, and does not take that the holders have ended.
    """
    needed: int
    """How many it needs; of turns, the number of jobs that come before it."""
    total: int
    """How many there are: nodes of the cluster, or processes that may run at once here."""
    holders: tuple[tuple[ResourceId, int], ...]
    """The jobs that hold some, and how many; of turns, the job that comes next."""

    @property
    def free(self) -> int:
        """How many nodes or processes are free."""
        return max(0, self.total - sum(count for _, count in self.holders))

    @property
    def what(self) -> str:
        """What it waits for, in words: `2 nodes of cluster c: 1 of 3 free, first holds 2`."""
        cluster = f"cluster {self.cluster.name}"
        if self.unit == "disk":
            jobs = ", ".join(self._named(job) for job, _ in self.holders)
            return f"space on the disk: it is full, and can't take that {jobs} ended"
        if self.unit == "turn":
            (first, _), others = self.holders[0], self.needed - 1
            and_others = f" and {others} other{'s' if others > 1 else ''}" if others else ""
            return f"its turn on {cluster}, after {self._named(first)}{and_others}"
        several = {"node": "nodes", "process": "processes"}[self.unit]
        wanted = f"{self.needed} {self.unit if self.needed == 1 else several}"
        if self.unit == "node" and self.needed > self.total:
            return f"{wanted}: {cluster} has only {self.total} now"
        place = cluster if self.unit == "node" else "this machine"
        held = ", ".join(f"{self._named(job)} holds {count}" for job, count in self.holders)
        return f"{wanted} of {place}: {self.free} of {self.total} free, {held}"

    def __str__(self) -> str:
        return f"waits for {self.what}"

    def _named(self, job: ResourceId) -> str:
        return job.name if job.parent == self.job.parent else f"{job.experiment}/{job.name}"
