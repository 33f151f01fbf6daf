"""How much trees of processes use of CPUs, memory and GPUs."""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from bai.runtime.node import processes
from bai.runtime.node.gpus import GpuUse

CPU: Final = "bai/cpu_cores"
"""CPU time of a tree in each second of the time since the last look: 2 is two busy cores."""
MEMORY: Final = "bai/memory_bytes"
"""Resident memory of a tree. What its processes share counts for each of them."""

GPUS: Final = "bai/gpus_busy"
"""GPUs that a tree uses, each by the share of time in which it was busy: 2 is two busy GPUs."""
GPU_MEMORY: Final = "bai/gpu_memory_bytes"
"""Memory that a tree has on GPUs."""

FIRST_SECONDS: Final = 1.0
SECONDS: Final = 2.0
"""How often to look, at first."""
LOOKS: Final = 500
"""After how many looks the time between two of them doubles.

So a job of a week is looked at 4,600 times, one of a month 5,600 times.
"""

_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
# Of what `processes.fields` returns: its own time and that of its children, as user and system.
_TIMES: Final = slice(11, 15)
_START: Final = 19
_RSS: Final = 21


@dataclass(frozen=True, slots=True)
class _Tree:
    """What was seen of a process and all below it."""

    ticks: int
    """CPU time of all, and of those that have ended and were waited for."""
    pages: int
    """Resident memory."""
    started: float
    """When its root was started, in seconds since the boot."""
    members: frozenset[int]
    """Process ids."""


class Usage:
    """What trees of processes use, looked at now and then, less often as time goes by."""

    def __init__(self) -> None:
        """Begin with no trees."""
        self._seen: dict[int, tuple[float, int]] = {}
        self._looks = 0
        self._next = 0.0

    @property
    def is_due(self) -> bool:
        """Whether it is time for a look."""
        return time.monotonic() >= self._next

    def wait(self) -> None:
        """Wait for the first look: nothing runs yet."""
        self._next = time.monotonic() + FIRST_SECONDS

    def look(
        self, roots: Collection[int], gpus: Collection[GpuUse] = ()
    ) -> dict[int, dict[str, float]]:
        """Return what each tree that lives uses, by its root: name of a metric -> value.

        One that is just ending has no memory any more, and is left out.

        Args:
            roots: process ids.
            gpus: all GPUs that any process uses.
        """
        self._looks += 1
        self._next = time.monotonic() + SECONDS * 2 ** (self._looks // LOOKS)
        now, before, self._seen = time.clock_gettime(time.CLOCK_BOOTTIME), self._seen, {}
        found = {}
        for root, tree in _trees(roots).items():
            since, ticks = before.get(root, (tree.started, 0))
            self._seen[root] = now, tree.ticks
            # Less than before is left of a tree that processes have left.
            used = max(0, tree.ticks - ticks) * _TICK / max(now - since, _TICK)
            values = {CPU: round(used, 3), MEMORY: float(tree.pages * _PAGE)}
            found[root] = values | _of_gpus(tree.members, gpus)
        return found


def _of_gpus(members: Collection[int], gpus: Collection[GpuUse]) -> dict[str, float]:
    """Return what processes use of GPUs; nothing if they use none."""
    own = [each for each in gpus if not each.memory.keys().isdisjoint(members)]
    if not own:
        return {}
    memory = sum(each.memory.get(pid, 0) for each in own for pid in members)
    return {GPUS: round(sum(each.busy for each in own), 2), GPU_MEMORY: float(memory)}


def _trees(roots: Collection[int]) -> dict[int, _Tree]:
    """Return the trees whose roots still live, and are not ending."""
    children: dict[int, list[int]] = {}
    all_fields: dict[int, list[bytes]] = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208 - in a loop, and pathlib is slow
        if entry.isdigit() and (found := processes.fields(pid := int(entry))):
            children.setdefault(int(found[1]), []).append(pid)
            all_fields[pid] = found
    trees = {}
    for root in roots:
        if root in all_fields:
            below = [root]
            for pid in below:
                below += children.get(pid, ())
            ticks = sum(int(each) for pid in below for each in all_fields[pid][_TIMES])
            pages = sum(int(all_fields[pid][_RSS]) for pid in below)
            if pages:
                started = int(all_fields[root][_START]) * _TICK
                trees[root] = _Tree(ticks, pages, started, frozenset(below))
    return trees
