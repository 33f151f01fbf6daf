"""The cores of this machine, and which of them each process of a job may use.

A rank that waits for others spins: Horovod's `synchronize` yields in a loop. The kernel takes the
spinning for work, and stacks ranks on one core while another one is as good as idle. Bound to
cores of its own, as mpirun and Slurm bind them too, no rank takes the time of another.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/{}"


class Core(NamedTuple):
    """A physical core."""

    package: int
    """The processor that it is in."""
    cpus: frozenset[int]
    """Its logical CPUs, as far as this process may use them."""


def cpu_count() -> int:
    """Return the number of logical CPUs that this process may use."""
    return len(os.sched_getaffinity(0))


def usable_cores() -> list[Core]:
    """Return the cores that this process may use, in the order of the machine."""
    found: dict[tuple[int, int], set[int]] = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        # Without information on cores, every logical CPU counts as one.
        place = _number(cpu, "physical_package_id", 0), _number(cpu, "core_id", cpu)
        found.setdefault(place, set()).add(cpu)
    return [Core(package, frozenset(cpus)) for (package, _), cpus in sorted(found.items())]


def shares(cores: Sequence[Core], ranks: int) -> list[frozenset[int]] | None:
    """Return the logical CPUs of each rank, the same number of cores for all.

    With fewer ranks than cores, those that can't be dealt out evenly are everybody's. With more,
    as many ranks share each core.

    >>> shares([Core(0, frozenset([n])) for n in range(5)], 2)
    [frozenset({0, 2, 4}), frozenset({1, 3, 4})]

    Returns:
        A set for each rank; None if the cores can't be shared evenly, or there is nothing to share.
    """
    if ranks < 2 or not cores:
        return None
    if ranks > len(cores):
        if ranks % len(cores):
            return None
        return [cores[rank % len(cores)].cpus for rank in range(ranks)]
    each = len(cores) // ranks
    dealt, rest = cores[: each * ranks], cores[each * ranks :]
    if cores[0].package == cores[-1].package:
        # Dealt like cards: where there are slow cores and fast ones, each rank gets both.
        own = [dealt[rank::ranks] for rank in range(ranks)]
    else:
        # Neighbours, which share a processor and its memory.
        own = [dealt[rank * each : (rank + 1) * each] for rank in range(ranks)]
    return [frozenset[int]().union(*(core.cpus for core in [*mine, *rest])) for mine in own]


def bind(cpus: frozenset[int]) -> None:
    """Run this process on some logical CPUs only, if they are there."""
    # A CPU may have been withdrawn meanwhile; any other is better than none.
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, cpus)


def _number(cpu: int, name: str, unknown: int) -> int:
    try:
        return int(Path(_TOPOLOGY.format(cpu, name)).read_text())
    except (OSError, ValueError):
        return unknown
