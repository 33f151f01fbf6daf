"""The database as scheduling decisions see it: every query is answered from an index."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from bai.runtime.provider.row_mapping import stamp
from bai.runtime.provider.sweep_view import SELECT_QUEUED, SweepView, queued_of
from bai.runtime.scheduling.records import Counts, Ending, Node, NodeState, Queued, Running

_IS_QUEUED = "state = 'queued' AND launches = 0 AND held = 0"
"""What was launched already is in the engine's own queue."""
_QUEUED = f"{SELECT_QUEUED}{_IS_QUEUED}"
_RUNNING = (
    "SELECT rowid AS age, uuid, job, cluster, nodes, process_count, priority, stop FROM attempts "
    "WHERE ended IS NULL AND state IN ('running', 'terminating')"
)
# Goes from one cluster to the next one in the index, and not through their queues.
_CLUSTERS = (
    "WITH RECURSIVE found (id) AS ("  # noqa: S608
    f"SELECT min(cluster) FROM attempts WHERE {_IS_QUEUED} UNION ALL "
    f"SELECT (SELECT min(cluster) FROM attempts WHERE {_IS_QUEUED} AND cluster > found.id) "
    "FROM found WHERE found.id IS NOT NULL) SELECT id FROM found WHERE id IS NOT NULL"
)


class DatabaseView(SweepView):
    """Queries on one consistent state, inside a transaction of the caller's."""

    def heads(self) -> list[Queued]:
        """Return the first queued attempt of every cluster that has any, by rank."""
        clusters = [row["id"] for row in self._db.execute(_CLUSTERS)]
        return sorted((next(self.queue(each)) for each in clusters), key=lambda head: head.rank)

    def queue(self, cluster: str) -> Iterator[Queued]:
        """Return the queued attempts of a cluster by rank."""
        sql = f"{_QUEUED} AND cluster = ? ORDER BY priority DESC, rowid"
        return map(queued_of, self._db.execute(sql, (cluster,)))

    def before(self, queued: Queued) -> int:
        """Return how many queued attempts of its cluster come before this one."""
        return self._number(
            f"SELECT count(*) FROM attempts WHERE {_IS_QUEUED} AND cluster = ?1 "  # noqa: S608
            "AND (priority > ?2 OR (priority = ?2 AND rowid < ?3))",
            queued.cluster,
            queued.priority,
            queued.order,
        )

    def queued(self, attempt: str) -> Queued | None:
        """Return a queued attempt; None if it is not queued."""
        row = self._db.execute(f"{_QUEUED} AND uuid = ?", (attempt,)).fetchone()
        return queued_of(row) if row else None

    def processes(self) -> int:
        """Return the number of processes of all running attempts, on every cluster."""
        return self._number(
            "SELECT coalesce(sum(process_count), 0) FROM attempts "
            "WHERE ended IS NULL AND state IN ('running', 'terminating')"
        )

    def counts(self, cluster: str) -> Counts:
        """Return the numbers of a cluster."""
        queued = self._number(
            "SELECT coalesce(sum(node_count), 0) FROM attempts "  # noqa: S608
            f"WHERE {_IS_QUEUED} AND cluster = ?",
            cluster,
        )
        return Counts(**self.node_states(cluster), queued_nodes=queued)

    def node_states(self, cluster: str) -> dict[NodeState, int]:
        """Return how many nodes of a cluster are in each state."""
        sql = "SELECT state, count(*) FROM nodes WHERE cluster = ? GROUP BY state"
        found = {row[0]: row[1] for row in self._db.execute(sql, (cluster,))}
        return {state: found.get(state, 0) for state in NodeState}

    def node(self, cluster: str, number: int) -> Node | None:
        """Return a node of a cluster; None if it has no such node."""
        sql = "SELECT * FROM nodes WHERE cluster = ? AND number = ?"
        row = self._db.execute(sql, (cluster, number)).fetchone()
        return _node(row) if row else None

    def nodes(
        self, cluster: str, state: NodeState, *, highest_first: bool = False
    ) -> Iterator[Node]:
        """Return the nodes of a cluster in a state, by number."""
        order = "number DESC" if highest_first else "number"
        sql = f"SELECT * FROM nodes WHERE cluster = ? AND state = ? ORDER BY {order}"  # noqa: S608
        return map(_node, self._db.execute(sql, (cluster, state)))

    def nodes_outside(
        self, cluster: str, state: NodeState, begin: float, end: float
    ) -> Iterator[Node]:
        """Return the nodes in a state that they came into before `begin` or after `end`."""
        sql = "SELECT * FROM nodes WHERE cluster = ? AND state = ? AND since "
        for where, time in (("< ?", begin), ("> ?", end)):
            yield from map(
                _node, self._db.execute(sql + where, (cluster, state, stamp(_time(time))))
            )

    def absent(self, cluster: str) -> Iterator[int]:
        """Return the numbers that no node of a cluster has, from 0 on, without end."""
        free = 0
        sql = "SELECT number FROM nodes WHERE cluster = ? ORDER BY number"
        for (number,) in self._db.execute(sql, (cluster,)):
            yield from range(free, number)
            free = number + 1
        while True:
            yield free
            free += 1

    def running(self, attempt: str) -> Running | None:
        """Return a running attempt; None if it is not running."""
        row = self._db.execute(f"{_RUNNING} AND uuid = ?", (attempt,)).fetchone()
        return _running(row) if row else None

    def gangs(self, cluster: str, at_least: int) -> Iterator[Running]:
        """Return running attempts that were not asked to end and hold `at_least` nodes or more.

        Those with fewer nodes first, then lower priorities, then younger ones.
        """
        sql = (
            f"{_RUNNING} AND cluster = ? AND stop IS NULL AND node_count >= ? "
            "ORDER BY node_count, priority, rowid DESC"
        )
        return map(_running, self._db.execute(sql, (cluster, at_least)))

    def largest_gangs(self, cluster: str) -> Iterator[Running]:
        """Return running attempts that were not asked to end.

        Those with more nodes first, then lower priorities, then younger ones.
        """
        sql = (
            f"{_RUNNING} AND cluster = ? AND stop IS NULL "
            "ORDER BY node_count DESC, priority, rowid DESC"
        )
        return map(_running, self._db.execute(sql, (cluster,)))

    def ending(self, cluster: str) -> Iterator[Running]:
        """Return running attempts that were asked to end, oldest first."""
        sql = f"{_RUNNING} AND cluster = ? AND stop IS NOT NULL ORDER BY rowid"
        return map(_running, self._db.execute(sql, (cluster,)))

    def node_holders(self, cluster: str) -> Iterator[tuple[str, int]]:
        """Return jobs and how many running (not leaving) nodes of a cluster they hold.

        Oldest first, and none that holds no such node.
        """
        sql = (
            "SELECT job, count(*) FROM nodes JOIN attempts ON attempts.uuid = nodes.attempt "
            "WHERE nodes.cluster = ? AND nodes.state = 'running' "
            "GROUP BY attempts.uuid ORDER BY attempts.rowid"
        )
        return map(_holder, self._db.execute(sql, (cluster,)))

    def process_holders(self) -> Iterator[tuple[str, int]]:
        """Return jobs and how many processes they run, on every cluster, oldest first."""
        sql = (
            "SELECT job, process_count FROM attempts "
            "WHERE ended IS NULL AND state IN ('running', 'terminating') ORDER BY rowid"
        )
        return map(_holder, self._db.execute(sql))


def _running(row: Any) -> Running:
    endings = {None: None, "requeue": Ending.REQUEUE}
    return Running(
        row["uuid"],
        row["job"],
        row["cluster"],
        tuple(json.loads(row["nodes"])),
        row["process_count"],
        row["priority"],
        row["age"],
        endings.get(row["stop"], Ending.TERMINATE),
    )


def _holder(row: Any) -> tuple[str, int]:
    job, count = row
    return job, count


def _node(row: Any) -> Node:
    since = datetime.fromisoformat(row["since"]).timestamp()
    return Node(row["number"], NodeState(row["state"]), since, row["attempt"])


def _time(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError):
        # Before or after all times that there are.
        return datetime.max.replace(tzinfo=UTC) if seconds > 0 else datetime.min.replace(tzinfo=UTC)
