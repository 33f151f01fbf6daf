"""Nodes that are being prepared as rows of the database."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import datetime
from typing import Final

from bai.compiler.resources.ids import ResourceId
from bai.runtime.jobs.records import JobError
from bai.runtime.jobs.setup_records import PreparingNode
from bai.runtime.provider.carry_out import carry_out
from bai.runtime.provider.cluster_view import DatabaseView
from bai.runtime.provider.database import BELOW, Database
from bai.runtime.scheduling.ends import nodes_lost
from bai.runtime.scheduling.instructions import ChangeNodes
from bai.runtime.scheduling.records import NodeState

_PREPARING: Final = (
    "SELECT nodes.cluster, clusters.uuid AS cluster_uuid, number, nodes.uuid, run FROM nodes "
    "JOIN clusters ON clusters.id = nodes.cluster WHERE state = 'preparing'"
)
_IS_SAME: Final = "cluster = ? AND number = ? AND uuid = ? AND run = ? AND state = 'preparing'"


def preparing_nodes(database: Database) -> list[PreparingNode]:
    """Return the nodes that are being prepared, of all clusters."""
    return database.read(_preparing, f"{_PREPARING} ORDER BY nodes.cluster, number")


def nodes_below(database: Database, id: ResourceId) -> list[str]:
    """Return the uuids of the nodes of a cluster, or of the clusters below a resource."""
    sql = f"SELECT uuid FROM nodes WHERE {BELOW.format('cluster')}"  # noqa: S608
    return database.read(lambda row: str(row["uuid"]), sql, str(id))


def clusters_below(database: Database, id: ResourceId) -> list[str]:
    """Return the uuid of a cluster, or of the clusters below a resource."""
    sql = f"SELECT uuid FROM clusters WHERE {BELOW.format('id')}"  # noqa: S608
    return database.read(lambda row: str(row["uuid"]), sql, str(id))


def cluster_uuid(database: Database, id: ResourceId) -> str | None:
    """Return what tells a cluster from an earlier one of that name; None if there is none."""
    row = database.row("SELECT uuid FROM clusters WHERE id = ?", str(id))
    return str(row["uuid"]) if row else None


def begin_run(database: Database, node: PreparingNode) -> PreparingNode | None:
    """Record that the setup task of a node is run, once more if it has run.

    Returns:
        The node as it is then; None if it is another one by now, or another process was faster.
    """
    with database.transaction() as connection:
        cursor = connection.execute(
            f"UPDATE nodes SET run = run + 1 WHERE {_IS_SAME}",  # noqa: S608
            (str(node.cluster), node.number, node.uuid, node.run),
        )
        return replace(node, run=node.run + 1) if cursor.rowcount else None


def finish(
    database: Database, node: PreparingNode, errors: Iterable[JobError], time: datetime
) -> None:
    """Record that a node is prepared, or that it can't be used; nothing if it is another by now.

    Args:
        database: where.
        node: the node.
        errors: why it can't be used; none if it is ready.
        time: when.
    """
    found, cluster = list(errors), str(node.cluster)
    place = (cluster, node.number, node.uuid, node.run)
    with database.transaction() as connection:
        if not connection.execute(f"SELECT 1 FROM nodes WHERE {_IS_SAME}", place).fetchone():  # noqa: S608
            return
        if found:
            carry_out(
                connection, nodes_lost(DatabaseView(connection), cluster, [node.number]), time
            )
            connection.execute(
                "UPDATE nodes SET errors = ? WHERE cluster = ? AND number = ?",
                (json.dumps([asdict(error) for error in found]), cluster, node.number),
            )
        else:
            ready = ChangeNodes(cluster, (node.number,), NodeState.IDLE)
            carry_out(connection, [ready], time)


def _preparing(row: sqlite3.Row) -> PreparingNode:
    cluster = ResourceId.parse(row["cluster"])
    return PreparingNode(cluster, row["cluster_uuid"], row["number"], row["uuid"], row["run"])
