"""What decisions result in. Each instruction says what there is to do, once, for good."""

from __future__ import annotations

from dataclasses import dataclass

from bai.runtime.scheduling.records import NodeState


@dataclass(frozen=True, slots=True)
class Start:
    """Start a queued attempt: it is queued no more, and holds these nodes, which are running."""

    attempt: str
    cluster: str
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Submit:
    """Hand a queued attempt over to the engine's own queue: it is queued no more here."""

    attempt: str


@dataclass(frozen=True, slots=True)
class Requeue:
    """Ask the run of an attempt to end, in order to queue the attempt again (`Ending.REQUEUE`).

    It holds its nodes until the run has ended; `released` says then what to do.
    """

    attempt: str


@dataclass(frozen=True, slots=True)
class Terminate:
    """Ask an attempt to end for good (`Ending.TERMINATE`). It holds its nodes until it has."""

    attempt: str
    lost_node: int | None = None
    """The lost node that it ends for; None for a resize."""


@dataclass(frozen=True, slots=True)
class QueueAgain:
    """Put an attempt whose run has ended into the queue, with its old priority and order."""

    attempt: str


@dataclass(frozen=True, slots=True)
class Release:
    """Put a held member of a sweep into the queue of its cluster, with its priority and age."""

    attempt: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Cancel a member of a sweep that has not started, since so many others have failed."""

    attempt: str
    sweep: str
    failures: int


@dataclass(frozen=True, slots=True)
class AddNodes:
    """Add nodes to a cluster, in the state preparing. They have these numbers, free until now."""

    cluster: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RemoveNodes:
    """Remove nodes that no attempt holds."""

    cluster: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChangeNodes:
    """Change the state of nodes. An attempt that holds them goes on holding them, except if idle.

    To leaving: they drain. From leaving to running: they stay after all.
    """

    cluster: str
    numbers: tuple[int, ...]
    state: NodeState


Instruction = (
    Start
    | Submit
    | Requeue
    | Terminate
    | QueueAgain
    | Release
    | Withdraw
    | AddNodes
    | RemoveNodes
    | ChangeNodes
)
