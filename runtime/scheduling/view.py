"""The snapshot that decisions are made on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from bai.runtime.scheduling.records import (
    Counts,
    Node,
    NodeState,
    Queued,
    Running,
    SweepLimits,
)


class ClusterView(Protocol):
    """Queries on one consistent state, each answered from an index.

    Iterators are lazy: a decision takes a few elements of a long one, and leaves the rest. The
    state does not change while a decision is made.
    """

    def heads(self) -> Iterable[Queued]:
        """Return the first queued attempt of every cluster that has any, by rank."""

    def queue(self, cluster: str) -> Iterator[Queued]:
        """Return the queued attempts of a cluster by rank."""

    def before(self, queued: Queued) -> int:
        """Return how many queued attempts of its cluster come before this one."""

    def processes(self) -> int:
        """Return the number of processes of all running attempts, on every cluster."""

    def counts(self, cluster: str) -> Counts:
        """Return the numbers of a cluster."""

    def node(self, cluster: str, number: int) -> Node | None:
        """Return a node of a cluster; None if it has no such node."""

    def nodes(
        self, cluster: str, state: NodeState, *, highest_first: bool = False
    ) -> Iterator[Node]:
        """Return the nodes of a cluster in a state, by number."""

    def nodes_outside(
        self, cluster: str, state: NodeState, begin: float, end: float
    ) -> Iterator[Node]:
        """Return the nodes in a state that they came into before `begin` or after `end`.

        In any order that does not need to look at other nodes: two ranges of an index by time.
        """

    def absent(self, cluster: str) -> Iterator[int]:
        """Return the numbers that no node of a cluster has, from 0 on, without end."""

    def running(self, attempt: str) -> Running | None:
        """Return a running attempt; None if it is not running."""

    def gangs(self, cluster: str, at_least: int) -> Iterator[Running]:
        """Return running attempts that were not asked to end and hold `at_least` nodes or more.

        Those with fewer nodes first, then lower priorities, then younger ones.
        """

    def largest_gangs(self, cluster: str) -> Iterator[Running]:
        """Return running attempts that were not asked to end.

        Those with more nodes first, then lower priorities, then younger ones.
        """

    def ending(self, cluster: str) -> Iterator[Running]:
        """Return running attempts that were asked to end, oldest first."""

    def node_holders(self, cluster: str) -> Iterator[tuple[str, int]]:
        """Return jobs and how many running (not leaving) nodes of a cluster they hold.

        Oldest first, and none that holds no such node.
        """

    def process_holders(self) -> Iterator[tuple[str, int]]:
        """Return jobs and how many processes they run, on every cluster, oldest first."""

    def sweeps(self) -> Iterable[SweepLimits]:
        """Return the sweeps with members that have not ended."""

    def sweep(self, sweep: str) -> SweepLimits | None:
        """Return the limits of a sweep; None if none were put."""

    def held(self, sweep: str) -> Iterator[Queued]:
        """Return the held members of a sweep, oldest first."""

    def held_before(self, queued: Queued) -> int:
        """Return how many held members of its sweep are older than this one."""

    def active(self, sweep: str) -> int:
        """Return how many members of a sweep are neither held nor have ended."""

    def unstarted(self, sweep: str) -> Iterator[Queued]:
        """Return the members of a sweep that wait for their first run.

        Those in a queue first, then the held ones; each oldest first.
        """
