"""The store of a state folder: resources, and the attempts of jobs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.sweep import Sweep, SweepId
from bai.runtime.errors import NotFoundError
from bai.runtime.jobs.records import Attempt, LiveNode, StopReason
from bai.runtime.provider.attempt_rows import SELECT, Demand, ask_to_stop, insert_attempt
from bai.runtime.provider.attempts import Attempts
from bai.runtime.provider.carry_out import carry_out, scale_of
from bai.runtime.provider.cluster_view import DatabaseView
from bai.runtime.provider.database import BELOW, Database
from bai.runtime.provider.row_mapping import (
    ATTEMPT_COLUMNS,
    StoredResource,
    attempt_of,
    node_of,
    now,
    place_of,
    resource_of,
    stamp,
)
from bai.runtime.provider.sweep_rows import insert_sweep, sweep_of_row
from bai.runtime.scheduling.autoscale import first_nodes
from bai.runtime.scheduling.records import ManualScale, NodeState
from bai.runtime.scheduling.resize import resize
from bai.specs.errors import ConflictError

_OLDEST_FIRST: Final = "resources.created, resources.id"
_NEWEST_FIRST: Final = "resources.created DESC, resources.id DESC"


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
        self,
        id: ResourceId,
        wire: dict[str, Any],
        demand: Demand | None = None,
        new_nodes: NodeState | None = NodeState.IDLE,
        uuid: str | None = None,
    ) -> tuple[Attempt, ...]:
        """Create a resource or replace its wire form.

        Args:
            id: the resource.
            wire: its wire form.
            demand: what a job's new attempt needs, which is queued with it; None for no attempt.
            new_nodes: the state of nodes that a cluster gets; None if they are the engine's.
            uuid: what tells a new cluster from an earlier one of that name; by default a new one.

        Returns:
            The attempts whose runs shall end, since their nodes go.

        Raises:
            ConflictError: the job has an attempt that has not ended, or a newer one than the
                demand expects; or what it is in is being deleted.
            NotFoundError: its parent, or the cluster that it demands, does not exist.
        """
        with self.transaction() as connection:
            for needed in (id.parent, demand.cluster if demand else None):
                if needed is not None and not _exists(connection, needed):
                    raise NotFoundError(not_found(needed))
                if needed is not None:
                    _check_kept(connection, needed)
            _check_kept(connection, id)
            time = stamp(now())
            is_new = not _exists(connection, id)
            connection.execute(
                "INSERT INTO resources (id, kind, name, parent, wire, created, updated) "
                "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6) ON CONFLICT (id) DO UPDATE "
                "SET wire = excluded.wire, updated = excluded.updated, version = version + 1",
                (str(id), id.kind, id.name, id.parent and str(id.parent), json.dumps(wire), time),
            )
            if id.kind is Kind.CLUSTER:
                made = (uuid or str(uuid4())) if is_new else None
                return _put_cluster(connection, id, wire, new_nodes, made)
            if demand:
                insert_attempt(connection, id, demand)
            return ()

    def put_sweep(self, sweep: Sweep) -> None:
        """Store the settings of a sweep, and count failures of its members from now on.

        Raises:
            NotFoundError: its experiment does not exist.
            ConflictError: its experiment is being deleted.
        """
        with self.transaction() as connection:
            experiment = sweep.id.experiment
            if not _exists(connection, experiment):
                raise NotFoundError(not_found(experiment))
            _check_kept(connection, experiment)
            insert_sweep(connection, sweep)

    def sweeps(self, experiment: ResourceId | None = None) -> Sequence[Sweep]:
        """Return the sweeps of an experiment, or all of them, by id."""
        where = "" if experiment is None else "WHERE experiment = ? "
        values = () if experiment is None else (str(experiment),)
        return self.read(sweep_of_row, f"SELECT * FROM sweeps {where}ORDER BY id", *values)  # noqa: S608

    def sweep(self, id: SweepId) -> Sweep | None:
        """Return a sweep, or None."""
        found = self.read(sweep_of_row, "SELECT * FROM sweeps WHERE id = ?", str(id))
        return found[0] if found else None

    def members(self, id: SweepId) -> Sequence[StoredResource]:
        """Return the jobs whose newest attempts are members of a sweep, oldest first."""
        where = (
            "attempts.sweep = ?1 AND resources.id IN (SELECT job FROM attempts WHERE sweep = ?1)"
        )
        return self._resources(where, str(id), order=f"+{_OLDEST_FIRST}")

    def cancel_sweep(self, id: SweepId) -> tuple[Attempt, ...]:
        """Ask all members of a sweep that have not ended to end, in one transaction.

        Returns:
            Those attempts, as they are then.
        """
        with self.transaction() as connection:
            rows = connection.execute(
                f"{SELECT} WHERE sweep = ? AND ended IS NULL ORDER BY attempts.rowid", (str(id),)
            ).fetchall()
            found = map(attempt_of, rows)
            return tuple(ask_to_stop(connection, each, StopReason.CANCEL, now()) for each in found)

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
        return self._resources(where, *values, order=_order(name))

    def ids(
        self, kind: Kind, parent: ResourceId | None = None, name: str | None = None
    ) -> Sequence[ResourceId]:
        """Return the ids of the resources that `of_kind` returns."""
        where, values = _of(kind, parent, name)
        sql = f"SELECT id FROM resources WHERE {where} ORDER BY {_order(name)}"  # noqa: S608
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

    def recent(self, kind: Kind, limit: int) -> Sequence[StoredResource]:
        """Return the last `limit` resources of the list that `of_kind` returns, and running jobs.

        Those jobs stand in their places of that list.
        """
        where, values = _of(kind)
        newest = self._resources(where, *values, limit=limit, order=_NEWEST_FIRST)[::-1]
        if kind is not Kind.JOB or len(newest) < limit:
            return newest
        shown = {stored.id for stored in newest}
        running = {attempt.job for attempt in self.attempts.running()} - shown
        older = [stored for id in running if (stored := self.get(id))]
        return [*sorted(older, key=place_of), *newest]

    def count(self, kind: Kind) -> int:
        """Return how many resources of a kind there are."""
        row = self.row("SELECT count(*) FROM resources WHERE kind = ?", str(kind))
        assert row is not None
        return int(row[0])

    def node_states(self, cluster: ResourceId) -> dict[NodeState, int]:
        """Return how many nodes of a cluster are in each state."""
        with self.snapshot() as connection:
            return DatabaseView(connection).node_states(str(cluster))

    def nodes(self, cluster: ResourceId) -> Sequence[LiveNode]:
        """Return the nodes of a cluster, by number."""
        sql = (
            "SELECT nodes.number, nodes.state, since, nodes.errors, attempts.job "
            "FROM nodes LEFT JOIN attempts ON attempts.uuid = nodes.attempt "
            "WHERE nodes.cluster = ? ORDER BY nodes.number"
        )
        return self.read(partial(node_of, cluster), sql, str(cluster))

    def allocation_since(self, cluster: ResourceId) -> datetime:
        """Return when the nodes of a cluster or its scale changed last."""
        row = self.row("SELECT allocation_since FROM clusters WHERE id = ?", str(cluster))
        assert row is not None
        return datetime.fromisoformat(row["allocation_since"])

    def begin_deletion(self, id: ResourceId) -> tuple[Attempt, ...]:
        """Mark a resource for deletion, and ask what runs below it to end.

        Returns:
            The attempts whose runs shall end before it can go.

        Raises:
            NotFoundError: there is none.
            ConflictError: a job that is not below it uses a cluster that would go.
        """
        with self.transaction() as connection:
            if not _exists(connection, id):
                raise NotFoundError(not_found(id))
            found = _attempts_below(connection, id)
            others = {attempt.job.name for attempt in found if not attempt.job.is_below(id)}
            if others:
                names = ", ".join(sorted(others))
                raise ConflictError(
                    f"the {id.kind.singular} {id.name} is in use by {names}: wait for it, or "
                    "cancel it first"
                )
            connection.execute("UPDATE resources SET deleting = 1 WHERE id = ?", (str(id),))
            # No setup task begins any more.
            connection.execute(
                "UPDATE nodes SET state = 'leaving' WHERE state = 'preparing' "  # noqa: S608
                f"AND {BELOW.format('cluster')}",
                (str(id),),
            )
            asked = [ask_to_stop(connection, each, StopReason.CANCEL, now()) for each in found]
            return tuple(attempt for attempt in asked if attempt.holds_nodes)

    def deleting(self) -> tuple[ResourceId, ...]:
        """Return the resources that are marked for deletion."""
        sql = "SELECT id FROM resources WHERE deleting = 1"
        return tuple(self.read(lambda row: ResourceId.parse(row["id"]), sql))

    def delete(self, id: ResourceId) -> bool:
        """Delete a resource with all below it; return whether there was one.

        Raises:
            ConflictError: an attempt below it, or on a cluster of it, has not ended.
        """
        with self.transaction() as connection:
            if alive := _attempts_below(connection, id):
                raise ConflictError(f"the job {alive[0].job} has not ended")
            cursor = connection.execute("DELETE FROM resources WHERE id = ?", (str(id),))
            return cursor.rowcount > 0

    def _resources(
        self, where: str, *values: object, limit: int = -1, order: str = _OLDEST_FIRST
    ) -> list[StoredResource]:
        return self.read(
            resource_of,
            "SELECT resources.id, wire, resources.created AS made, deleting, "  # noqa: S608
            f"{ATTEMPT_COLUMNS} "
            "FROM resources LEFT JOIN attempts ON attempts.rowid = (SELECT rowid FROM attempts AS "
            "other WHERE other.job = resources.id ORDER BY number DESC LIMIT 1) WHERE "
            f"{where} ORDER BY {order} LIMIT ?",
            *values,
            limit,
        )


def not_found(id: ResourceId) -> str:
    """Return the sentence for a resource that does not exist."""
    return f"the {id.kind.singular} {id.name} does not exist"


def _of(
    kind: Kind, parent: ResourceId | None = None, name: str | None = None
) -> tuple[str, list[str]]:
    """Return the condition for resources of a kind, of one parent or name if given; its values."""
    where, values = "kind = ?", [str(kind)]
    if parent is not None:
        where, values = f"{where} AND parent = ?", [*values, str(parent)]
    if name is not None:
        where, values = f"{where} AND name = ? COLLATE NOCASE", [*values, name]
    return where, values


def _order(name: str | None) -> str:
    """Return the order of resources, of one name if given."""
    # SQLite would walk through all resources in their order; few have the name.
    return _OLDEST_FIRST if name is None else f"+{_OLDEST_FIRST}"


def _put_cluster(
    connection: sqlite3.Connection,
    id: ResourceId,
    wire: dict[str, Any],
    new_nodes: NodeState | None,
    made: str | None,
) -> tuple[Attempt, ...]:
    """Give a cluster its nodes; `made` is the uuid of a new one."""
    time, scale, cluster = now(), scale_of(wire), str(id)
    if made:
        connection.execute("INSERT INTO clusters VALUES (?, ?, ?)", (cluster, stamp(time), made))
    if new_nodes is None:
        return ()
    if made:
        carry_out(connection, first_nodes(cluster, scale), time, lambda _: new_nodes)
        return ()
    if not isinstance(scale, ManualScale):
        # The keeper scales it.
        return ()
    decided = resize(DatabaseView(connection), cluster, scale)
    return tuple(carry_out(connection, decided, time, lambda _: new_nodes).stopped)


def _attempts_below(connection: sqlite3.Connection, id: ResourceId) -> list[Attempt]:
    """Return the attempts that have not ended of jobs below a resource, or on its clusters."""
    rows = connection.execute(
        f"{SELECT} WHERE ended IS NULL AND ({BELOW.format('job')} OR {BELOW.format('cluster')})",
        (str(id),),
    )
    return [attempt_of(row) for row in rows]


def _check_kept(connection: sqlite3.Connection, id: ResourceId) -> None:
    """Check that neither a resource nor what it is in is being deleted.

    Raises:
        ConflictError: it is.
    """
    for (other,) in connection.execute("SELECT id FROM resources WHERE deleting = 1"):
        if id.is_below(goes := ResourceId.parse(other)):
            raise ConflictError(
                f"the {goes.kind.singular} {goes.name} is being deleted: try again when it is gone"
            )


def _exists(connection: sqlite3.Connection, id: ResourceId) -> bool:
    return bool(connection.execute("SELECT 1 FROM resources WHERE id = ?", (str(id),)).fetchone())
