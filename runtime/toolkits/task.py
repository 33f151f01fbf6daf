"""What a toolkit asks an engine to start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Wire = Mapping[str, Any]


class Style(StrEnum):
    """How the processes of a job find each other."""

    ALONE = "alone"
    """They need no help beyond their environment."""
    HOROVOD = "horovod"
    """Over Gloo, by Horovod's rendezvous server."""
    MPI = "mpi"
    """By mpirun, which starts them itself."""


@dataclass(frozen=True, slots=True)
class Task:
    """One process of a job."""

    rank: int
    node: int
    """Index among the job's nodes."""
    local_rank: int
    command: tuple[str, ...]
    """Words of the command line. `$NAME` in them is expanded in the task's environment."""
    environment: dict[str, str] = field(default_factory=dict)
    """What the toolkit adds to the job's environment."""
    bash: bool = False
    """Whether the command is one word for `bash -c`, which expands variables itself."""
    service: bool = False
    """Whether it serves the others: the job does not wait for its end, and ends it."""
    log_suffix: str = ""
    """`-wk-0` makes the logs stdout-wk-0.txt and stderr-wk-0.txt."""
    role: str = ""
    """What messages call it, where that is not `rank N`."""

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.role or f"rank {self.rank}"

    @property
    def log_name(self) -> str:
        """What its log lines are known by: `wk-0`, or its rank."""
        return self.log_suffix.removeprefix("-") or str(self.rank)


@dataclass(frozen=True, slots=True)
class Launch:
    """All processes of a job."""

    tasks: tuple[Task, ...]
    style: Style = Style.ALONE
    labelled: bool = False
    """Whether the tasks share the log files, so that each line needs its rank."""


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a job, as its processes see them."""

    count: int
    addresses: tuple[str, ...] = ()
    """Where each node is reached; empty where a launch is only planned."""
    ports: tuple[tuple[int, ...], ...] = ()
    """Free ports of each node, as many as it has processes; empty where a launch is planned."""
    shared_temp: str = ""
    """AZ_BATCHAI_SHARED_JOB_TEMP."""

    def endpoint(self, node: int, index: int) -> str:
        """Return `address:port` of a process, by its index among those of its node."""
        return f"{self.address(node)}:{self.port(node, index)}"

    def address(self, node: int) -> str:
        """Return where a node is reached."""
        return self.addresses[node] if self.addresses else "127.0.0.1"

    def port(self, node: int, index: int) -> int:
        """Return the port of a process, by its index among those of its node."""
        return self.ports[node][index] if self.ports else 0


def placement(processes: int, nodes: int) -> list[tuple[int, int]]:
    """Return (node, local rank) of each rank: in blocks, the first nodes taking one more.

    >>> placement(3, 2)
    [(0, 0), (0, 1), (1, 0)]
    """
    fewest, more = divmod(processes, nodes)
    sizes = [fewest + (node < more) for node in range(nodes)]
    return [(node, local) for node, size in enumerate(sizes) for local in range(size)]
