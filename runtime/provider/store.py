"""The store of a state folder: resources, and the attempts of jobs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.errors import NotFoundError
from bai.runtime.jobs.records import Attempt
from bai.runtime.provider.attempts import Attempts, Demand, insert_attempt
from bai.runtime.provider.database import BELOW, Database
from bai.runtime.provider.row_mapping import (
    ATTEMPT_COLUMNS,
    StoredResource,
    now,
    resource_of,
    stamp,
)
from bai.runtime.provider.scheduler import check_scale
from bai.specs.errors import ConflictError


class Store(Database):
    """The resources and attempts of one state folder. Each process opens its own store."""

    def __init__(self, folder: Path) -> None:
        """Open a state folder.

        Raises:
            StateError: the folder can't be used.
        """
        super().__init__(folder)
        self.attempts = Attempts(self)

    def put(
        self, id: ResourceId, wire: dict[str, Any], demand: Demand | None = None
    ) -> Attempt | None:
        """Create a resource or replace its wire form; with a demand, queue an attempt as well.

        Raises:
            ConflictError: the job has an attempt that has not ended, or a newer one than the
                demand expects; or the cluster would lose nodes that are in use.
            NotFoundError: its parent, or the cluster that it demands, does not exist.
        """
        text = json.dumps(wire)
        with self.transaction() as connection:
            if id.parent is not None and not _exists(connection, id.parent):
                raise NotFoundError(
                    f"the {id.parent.kind.singular} {id.parent.name} does not exist"
                )
            if demand is not None and not _exists(connection, demand.cluster):
                raise NotFoundError(f"the cluster {demand.cluster.name} does not exist")
            if id.kind is Kind.CLUSTER:
                check_scale(connection, id, wire)
            connection.execute(
                "INSERT INTO resources VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET wire = excluded.wire",
                (str(id), id.kind, id.name, id.parent and str(id.parent), text, stamp(now())),
            )
            if demand is None:
                return None
            attempt = insert_attempt(connection, id, demand)
        return self.attempts.get(attempt)

    def check_scale(self, id: ResourceId, wire: dict[str, Any]) -> None:
        """Check that a cluster could get a new wire form now, as to its nodes in use.

        Raises:
            ConflictError: a job runs on a node that would go.
        """
        with self.transaction() as connection:
            check_scale(connection, id, wire)

    def get(self, id: ResourceId) -> StoredResource | None:
        """Return one resource with the newest attempt, or None."""
        found = self._resources("resources.id = ?", str(id))
        return found[0] if found else None

    def of_kind(
        self, kind: Kind, parent: ResourceId | None = None, name: str | None = None
    ) -> Sequence[StoredResource]:
        """Return the resources of a kind, oldest first, each with its newest attempt.

        Args:
            kind: their kind.
            parent: what they are in; None for anything.
            name: their name, in any case; None for any.
        """
        where, values = _of(kind, parent, name)
        return self._resources(where, *values)

    def ids(
        self, kind: Kind, parent: ResourceId | None = None, name: str | None = None
    ) -> Sequence[ResourceId]:
        """Return the ids of the resources that `of_kind` returns."""
        where, values = _of(kind, parent, name)
        sql = f"SELECT id FROM resources WHERE {where} ORDER BY created, id"  # noqa: S608
        return self.read(lambda row: ResourceId.parse(row[0]), sql, *values)

    def page(
        self, kind: Kind, parent: ResourceId | None, after: str | None, limit: int
    ) -> Sequence[StoredResource]:
        """Return the first resources of a kind behind a place in its list, as `of_kind` does.

        Args:
            kind: their kind.
            parent: what they are in; None for anything.
            after: the place of a resource, as `place_of` gives it; None for the begin.
            limit: how many to return at most.

        Raises:
            ValueError: `after` is no place.
        """
        where, values = _of(kind, parent)
        if after is not None:
            created, space, id = after.partition(" ")
            if not space:
                raise ValueError(f"not the place of a page: {after}")
            where = f"{where} AND (resources.created, resources.id) > (?, ?)"
            values = [*values, created, id]
        return self._resources(where, *values, limit=limit)

    def delete(self, id: ResourceId) -> bool:
        """Delete a resource with all below it; return whether there was one.

        Raises:
            ConflictError: an attempt below it, or on a cluster of it, has not ended.
        """
        with self.transaction() as connection:
            alive = connection.execute(
                "SELECT job FROM attempts WHERE ended IS NULL "  # noqa: S608
                f"AND ({BELOW.format('job')} OR {BELOW.format('cluster')})",
                (str(id),),
            ).fetchone()
            if alive:
                raise ConflictError(f"the job {alive['job']} has not ended")
            cursor = connection.execute("DELETE FROM resources WHERE id = ?", (str(id),))
            return cursor.rowcount > 0

    def _resources(self, where: str, *values: object, limit: int = -1) -> list[StoredResource]:
        return self.read(
            resource_of,
            f"SELECT resources.id, wire, resources.created AS made, {ATTEMPT_COLUMNS} "  # noqa: S608
            "FROM resources LEFT JOIN attempts ON attempts.job = resources.id AND number = "
            "(SELECT max(number) FROM attempts AS other WHERE other.job = resources.id) "
            f"WHERE {where} ORDER BY resources.created, resources.id LIMIT ?",
            *values,
            limit,
        )


def _of(kind: Kind, parent: ResourceId | None, name: str | None = None) -> tuple[str, list[str]]:
    """Return the condition for resources of a kind, of one parent or name if given; its values."""
    where, values = "kind = ?", [str(kind)]
    if parent is not None:
        where, values = f"{where} AND parent = ?", [*values, str(parent)]
    if name is not None:
        where, values = f"{where} AND name = ? COLLATE NOCASE", [*values, name]
    return where, values


def _exists(connection: sqlite3.Connection, id: ResourceId) -> bool:
    return bool(connection.execute("SELECT 1 FROM resources WHERE id = ?", (str(id),)).fetchone())
