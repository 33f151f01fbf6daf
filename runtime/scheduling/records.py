"""What decisions read: scales, nodes, queued and running attempts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class NodeState(StrEnum):
    """The states of a node, as Batch AI names them."""

    PREPARING = "preparing"
    """It is being made, or runs the cluster's setup task."""
    IDLE = "idle"
    RUNNING = "running"
    """An attempt holds it."""
    LEAVING = "leaving"
    """An attempt holds it, and it goes when that ends. It does not count to the target."""
    UNUSABLE = "unusable"
    """It failed. It counts to the target, but is never used."""


class Deallocation(StrEnum):
    """What happens to attempts on nodes that must go, as Batch AI names it."""

    REQUEUE = "requeue"
    """They are ended and queued again, with their priority and age."""
    TERMINATE = "terminate"
    """They are ended."""
    WAIT_FOR_JOB_COMPLETION = "waitforjobcompletion"
    """The nodes go when the attempts have ended by themselves."""


class Ending(StrEnum):
    """What a running attempt was asked to end for."""

    REQUEUE = "requeue"
    """To be queued again."""
    TERMINATE = "terminate"
    """For good: by its user, by a resize, or because of a lost node."""


@dataclass(frozen=True, slots=True)
class ManualScale:
    """A fixed number of nodes."""

    target: int
    deallocation: Deallocation = Deallocation.REQUEUE


@dataclass(frozen=True, slots=True)
class AutoScale:
    """A number of nodes that follows what queued and running attempts need."""

    minimum: int
    maximum: int
    initial: int = 0


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a cluster."""

    number: int
    """Its index in the cluster. A number is given again after its node has gone."""
    state: NodeState
    since: float
    """When it came into its state, in seconds."""
    attempt: str | None = None
    """The attempt that holds it."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of a cluster: of nodes by their state, and of nodes that its queue asks for."""

    preparing: int
    idle: int
    running: int
    leaving: int
    unusable: int
    queued_nodes: int
    """What all queued attempts ask for together."""

    @property
    def size(self) -> int:
        """The number of nodes that count to the target: all but those that leave."""
        return self.preparing + self.idle + self.running + self.unusable


@dataclass(frozen=True, slots=True)
class Queued:
    """An attempt that waits in the queue of a cluster."""

    attempt: str
    job: str
    """The ARM id of its job."""
    cluster: str
    """The ARM id of its cluster."""
    nodes: int
    processes: int
    """On all nodes together: one or more."""
    priority: int
    """Higher comes first."""
    order: int
    """Its age: lower is older. Unique among all attempts, and kept when it is queued again."""
    sweep: str | None = None
    """The sweep that its job is a member of."""

    @property
    def rank(self) -> tuple[int, int]:
        """The key that sorts queues: priority, then age."""
        return -self.priority, self.order


@dataclass(frozen=True, slots=True)
class Running:
    """An attempt that holds nodes, until its end is recorded."""

    attempt: str
    job: str
    cluster: str
    nodes: tuple[int, ...]
    processes: int
    priority: int
    order: int
    ending: Ending | None = None
    """What it was asked to end for."""


@dataclass(frozen=True, slots=True)
class SweepLimits:
    """What a sweep allows its members, and how many of them have failed."""

    sweep: str
    concurrency: int | None
    """How many members may be active at once, that is in the queue or running; None for any."""
    most_failures: int | None
    """After so many failed members no more start; None for never."""
    failures: int
    """How many members have failed since the sweep was put."""

    @property
    def has_failed(self) -> bool:
        """Whether no more members start."""
        return self.most_failures is not None and self.failures >= self.most_failures
