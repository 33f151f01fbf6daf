"""Decisions of the scheduler with up to 10,000 nodes and 100,000 jobs, in memory."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from random import Random

from measure import Result

from bai.runtime.scheduling.autoscale import autoscale
from bai.runtime.scheduling.ends import released
from bai.runtime.scheduling.instructions import AddNodes
from bai.runtime.scheduling.memory import MemoryState
from bai.runtime.scheduling.records import (
    AutoScale,
    Deallocation,
    ManualScale,
    NodeState,
    Queued,
)
from bai.runtime.scheduling.resize import resize
from bai.runtime.scheduling.starts import schedule
from bai.runtime.scheduling.waiting import waiting

SIZES = ((100, 1_000), (1_000, 10_000), (10_000, 100_000))
"""Nodes and jobs, of which the nodes take about 4 of 100 at a time."""
_BASE = "/subscriptions/0/resourceGroups/g/providers/Microsoft.BatchAI/workspaces/w"
_TIMES = 1_000


def results() -> Iterator[Result]:
    """Measure every decision at each size; the smallest size is the peer of the others."""
    first: dict[str, float] = {}
    for nodes, jobs in SIZES:
        for name, took in _decisions(nodes, jobs):
            label = f"{name}, {jobs:,} jobs"
            peer = first.get(name)
            first.setdefault(name, took)
            yield Result(label, took, peer, "us", "flat" if peer else "")


def _decisions(nodes: int, jobs: int) -> Iterator[tuple[str, float]]:
    """Yield the median time of each decision in microseconds."""
    fleet = _Fleet(nodes, jobs, clusters=1)
    yield "put", statistics.median(fleet.put() for _ in range(_TIMES))
    yield "end, next start", statistics.median(fleet.end() for _ in range(_TIMES))
    cluster = fleet.clusters[0]
    auto = AutoScale(0, nodes)
    yield "autoscale", _median(lambda: autoscale(fleet.state, cluster, auto, now=9, idle_time=9))
    queue = tuple(fleet.state.queue(cluster))
    scale = ManualScale(nodes)
    for place, queued in (("first", queue[0]), ("last", queue[-1])):
        yield f"wait of the {place}", _median(lambda q=queued: waiting(fleet.state, q, 1, scale))
    for option in (Deallocation.REQUEUE, Deallocation.WAIT_FOR_JOB_COMPLETION):
        smaller = ManualScale(nodes - 10, option)
        yield f"10 nodes less, {option}", _median(lambda s=smaller: resize(fleet.state, cluster, s))
    many = _Fleet(nodes, jobs, clusters=20)
    yield "end, next start, 20 clusters", statistics.median(many.end() for _ in range(_TIMES))
    yield "a job's whole life", _life(nodes, jobs)


def _median(decide: Callable[[], object]) -> float:
    return statistics.median(_microseconds(decide) for _ in range(_TIMES))


def _microseconds(decide: Callable[[], object]) -> float:
    begun = time.perf_counter_ns()
    decide()
    return (time.perf_counter_ns() - begun) / 1_000


def _life(nodes: int, jobs: int) -> float:
    """Return what a job costs from its put to its end, with all that the state in memory does."""
    begun = time.process_time()
    fleet = _Fleet(nodes, jobs, clusters=1)
    while fleet.running:
        fleet.end()
    assert not fleet.state.counts(fleet.clusters[0]).queued_nodes
    return (time.process_time() - begun) * 1e6 / jobs


class _Fleet:
    """Clusters full of jobs of one to four nodes, and queues of more."""

    def __init__(self, nodes: int, jobs: int, clusters: int) -> None:
        self.state = MemoryState()
        self.running: list[str] = []
        self.clusters = tuple(f"{_BASE}/clusters/c{number}" for number in range(clusters))
        self._random = Random(1)
        self._count = 0
        for cluster in self.clusters:
            numbers = tuple(range(nodes // clusters))
            self.state.carry_out([AddNodes(cluster, numbers)], 0)
            self.state.change(cluster, numbers, NodeState.IDLE, 0)
        for _ in range(jobs):
            self.state.put(self._new())
        self._start()

    def put(self) -> float:
        """Queue one more job; return the time of the decision."""
        self.state.put(self._new())
        return self._start()

    def end(self) -> float:
        """End a random job; return the time to decide on its nodes and on what starts next."""
        at = self._random.randrange(len(self.running))
        name, self.running[at] = self.running[at], self.running[-1]
        self.running.pop()
        running = self.state.running(name)
        assert running
        begun = time.perf_counter_ns()
        instructions = released(self.state, running, by_itself=True)
        took = (time.perf_counter_ns() - begun) / 1_000
        self.state.end(name, instructions, 0)
        return took + self._start()

    def _start(self) -> float:
        begun = time.perf_counter_ns()
        starts = schedule(self.state, None)
        took = (time.perf_counter_ns() - begun) / 1_000
        self.state.carry_out(starts, 0)
        self.running += (start.attempt for start in starts)
        return took

    def _new(self) -> Queued:
        self._count += 1
        name = f"j{self._count}"
        cluster = self._random.choice(self.clusters)
        nodes = self._random.randint(1, 4)
        job = f"{_BASE}/experiments/e/jobs/{name}"
        return Queued(name, job, cluster, nodes, nodes, 1, self._count)
