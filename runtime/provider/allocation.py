"""Nodes of a cluster: who holds them, who is next, and whether the cluster may shrink.

Every function runs inside a transaction of the caller's, so that what it saw still holds when
the caller writes.
"""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from bai.compiler.resources.ids import ResourceId
from bai.runtime.errors import ConflictError, NotFoundError


def choose_nodes(
    connection: sqlite3.Connection, attempt: sqlite3.Row, slots: int
) -> tuple[int, ...] | None:
    """Return the nodes that a queued attempt gets now; None if it must wait.

    Attempts of a cluster come by priority, then by age. The processes of all running attempts
    stay within `slots`, but one attempt alone may have more.

    Raises:
        NotFoundError: the cluster is gone.
    """
    before = connection.execute(
        "SELECT 1 FROM attempts WHERE cluster = ? AND state = 'queued' AND cancelled = 0 "
        "AND (priority > ? OR (priority = ? AND rowid < ?))",
        (attempt["cluster"], attempt["priority"], attempt["priority"], attempt["rowid"]),
    ).fetchone()
    processes, running = connection.execute(
        "SELECT coalesce(sum(process_count), 0), count(*) FROM attempts "
        "WHERE ended IS NULL AND started IS NOT NULL"
    ).fetchone()
    if before or (running and processes + attempt["process_count"] > slots):
        return None
    held = _held(connection, attempt["cluster"])
    free = [node for node in range(_size(connection, attempt["cluster"])) if node not in held]
    return tuple(free[: attempt["node_count"]]) if len(free) >= attempt["node_count"] else None


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
            f"the cluster {id.name} can't shrink to {size} nodes: the job "
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
    """Return how many nodes a cluster may have; one that scales holds its most at all times."""
    scale = wire["properties"]["scaleSettings"]
    if auto := scale.get("autoScale"):
        return int(auto["maximumNodeCount"])
    return int(scale["manual"]["targetNodeCount"])
