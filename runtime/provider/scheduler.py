"""Schedules queued attempts on the nodes of clusters, and guards nodes in use.

Every function runs inside a transaction of the caller's, so that what it read still holds when
the caller writes.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping
from typing import Any

from bai.compiler.resources.ids import ResourceId
from bai.runtime.errors import NotFoundError
from bai.runtime.jobs.records import Waiting
from bai.specs.errors import ConflictError
from bai.specs.words import counted


def choose_nodes(
    connection: sqlite3.Connection, attempt: sqlite3.Row, slots: int
) -> tuple[int, ...] | Waiting:
    """Return the nodes that a queued attempt gets now, or what it must wait for.

    Attempts of a cluster come by priority, then by age. The processes of all running attempts
    stay within `slots`, but one attempt alone may have more.

    Raises:
        NotFoundError: the cluster is gone.
    """
    if before := _before(connection, attempt):
        return before
    held = _held(connection, attempt["cluster"])
    size = _size(connection, attempt["cluster"])
    free = [node for node in range(size) if node not in held]
    # Nodes first: the user asked for them, and their holders explain the wait best.
    if len(free) < attempt["node_count"]:
        return _waiting(attempt, "node", attempt["node_count"], size, Counter(held.values()))
    running = connection.execute(
        "SELECT job, process_count FROM attempts WHERE ended IS NULL AND started IS NOT NULL"
    ).fetchall()
    processes = {row["job"]: row["process_count"] for row in running}
    if running and sum(processes.values()) + attempt["process_count"] > slots:
        return _waiting(attempt, "process", attempt["process_count"], slots, processes)
    return tuple(free[: attempt["node_count"]])


def _before(connection: sqlite3.Connection, attempt: sqlite3.Row) -> Waiting | None:
    """Return the wait for attempts of the cluster that come before this one, if there are any."""
    row = connection.execute(
        "SELECT job, count(*) OVER () AS jobs FROM attempts "
        "WHERE cluster = ? AND state = 'queued' AND cancelled = 0 "
        "AND (priority > ? OR (priority = ? AND rowid < ?)) ORDER BY priority DESC, rowid LIMIT 1",
        (attempt["cluster"], attempt["priority"], attempt["priority"], attempt["rowid"]),
    ).fetchone()
    return _waiting(attempt, "turn", row["jobs"], 1, {row["job"]: 1}) if row else None


def _waiting(
    attempt: sqlite3.Row, unit: str, needed: int, total: int, holders: Mapping[str, int]
) -> Waiting:
    return Waiting(
        ResourceId.parse(attempt["job"]),
        ResourceId.parse(attempt["cluster"]),
        unit,
        needed,
        total,
        tuple((ResourceId.parse(job), count) for job, count in holders.items()),
    )


def check_scale(connection: sqlite3.Connection, id: ResourceId, wire: dict[str, Any]) -> None:
    """Check that a cluster keeps the nodes that jobs run on, whatever its new form.

    Batch AI would requeue such jobs; an attempt here is started at most once, so that it would
    be lost.

    Raises:
        ConflictError: a job runs on a node that would go.
    """
    held = _held(connection, str(id))
    if held and max(held) >= (size := _most_nodes(wire)):
        node = min(node for node in held if node >= size)
        raise ConflictError(
            f"the cluster {id.name} can't shrink to {counted(size, 'node')}: the job "
            f"{ResourceId.parse(held[node]).name} runs on node {node}. Wait for it, or cancel it"
        )


def _held(connection: sqlite3.Connection, cluster: str) -> dict[int, str]:
    """Return node index -> id of the job that holds it."""
    rows = connection.execute(
        "SELECT job, nodes FROM attempts WHERE cluster = ? AND ended IS NULL", (cluster,)
    )
    return {node: row["job"] for row in rows for node in json.loads(row["nodes"])}


def _size(connection: sqlite3.Connection, cluster: str) -> int:
    row = connection.execute("SELECT wire FROM resources WHERE id = ?", (cluster,)).fetchone()
    if row is None:
        raise NotFoundError(f"the cluster {cluster} does not exist any more")
    return _most_nodes(json.loads(row["wire"]))


def _most_nodes(wire: dict[str, Any]) -> int:
    """Return the number of nodes of a cluster; the maximum if it scales automatically."""
    scale = wire["properties"]["scaleSettings"]
    if auto := scale.get("autoScale"):
        return int(auto["maximumNodeCount"])
    return int(scale["manual"]["targetNodeCount"])
