"""Resources, attempts and events in the database: the memory of the embedded provider."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.errors import ConflictError, NotFoundError
from bai.runtime.provider.allocation import check_scale, choose_nodes
from bai.runtime.provider.database import Database
from bai.runtime.provider.live import Attempt, Event, ExecutionState, JobError, Phase
from bai.runtime.provider.rows import (
    ATTEMPT_COLUMNS,
    StoredResource,
    attempt_of,
    event_of,
    now,
    resource_of,
    stamp,
)
from bai.runtime.provider.waiting import Waiting

PRIORITIES = {"low": 0, "normal": 1, "high": 2}
_SELECT_ATTEMPTS = f"SELECT {ATTEMPT_COLUMNS} FROM attempts"  # noqa: S608
_BELOW = "({0} = ?1 OR substr({0}, 1, length(?1) + 1) = ?1 || '/' COLLATE NOCASE)"
"""Whether the id in a column is this one or one below it."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What an attempt needs of a cluster."""

    cluster: ResourceId
    nodes: int
    processes: int
    priority: str = "normal"
    number: int | None = None
    """The number that the attempt must get; None for the next one, whatever that is."""


class Store:
    """Everything that one state folder remembers. Each process opens its own."""

    def __init__(self, folder: Path) -> None:
        """Open a state folder.

        Raises:
            StateError: the folder can't be used.
        """
        self._db = Database(folder)
        self.folder = folder

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def version(self) -> int:
        """Return a number that changes when another process has changed anything."""
        return self._db.version()

    # Resources

    def put(
        self, id: ResourceId, wire: dict[str, Any], demand: Demand | None = None
    ) -> Attempt | None:
        """Create a resource or replace its wire form; with a demand, queue an attempt as well.

        Raises:
            ConflictError: the job has an attempt that has not ended, or one that whoever demands
                this one has not seen; or the cluster would lose nodes that are in use.
            NotFoundError: its parent, or the cluster that it demands, does not exist.
        """
        text = json.dumps(wire)
        with self._db.transaction() as connection:
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
                (str(id), id.kind, id.name, _text(id.parent), text, stamp(now())),
            )
            if demand is None:
                return None
            attempt = _insert_attempt(connection, id, demand)
        return self.attempt(attempt)

    def check_scale(self, id: ResourceId, wire: dict[str, Any]) -> None:
        """Raise what `put` of this form of a cluster would raise about its nodes in use.

        Raises:
            ConflictError: a job runs on a node that would go.
        """
        with self._db.transaction() as connection:
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
        where, values = "kind = ?", [str(kind)]
        if parent is not None:
            where, values = f"{where} AND parent = ?", [*values, str(parent)]
        if name is not None:
            where, values = f"{where} AND name = ? COLLATE NOCASE", [*values, name]
        return self._resources(where, *values)

    def delete(self, id: ResourceId) -> bool:
        """Delete a resource with all below it; return whether there was one.

        Raises:
            ConflictError: an attempt below it, or on a cluster of it, has not ended.
        """
        with self._db.transaction() as connection:
            alive = connection.execute(
                "SELECT job FROM attempts WHERE ended IS NULL "  # noqa: S608
                f"AND ({_BELOW.format('job')} OR {_BELOW.format('cluster')})",
                (str(id),),
            ).fetchone()
            if alive:
                raise ConflictError(f"the job {alive['job']} has not ended")
            cursor = connection.execute("DELETE FROM resources WHERE id = ?", (str(id),))
            return cursor.rowcount > 0

    def _resources(self, where: str, *values: object) -> list[StoredResource]:
        return self._db.read(
            resource_of,
            f"SELECT resources.id, wire, resources.created AS made, {ATTEMPT_COLUMNS} "  # noqa: S608
            "FROM resources LEFT JOIN attempts ON attempts.job = resources.id AND number = "
            "(SELECT max(number) FROM attempts AS other WHERE other.job = resources.id) "
            f"WHERE {where} ORDER BY resources.created, resources.id",
            *values,
        )

    # Attempts

    def attempt(self, uuid: str) -> Attempt:
        """Return one attempt.

        Raises:
            NotFoundError: there is none.
        """
        found = self._db.read(attempt_of, f"{_SELECT_ATTEMPTS} WHERE uuid = ?", uuid)
        if not found:
            raise NotFoundError(f"there is no attempt {uuid}")
        return found[0]

    def attempts(self, job: ResourceId) -> tuple[Attempt, ...]:
        """Return the attempts of a job, oldest first."""
        sql = f"{_SELECT_ATTEMPTS} WHERE job = ? ORDER BY number"
        return tuple(self._db.read(attempt_of, sql, str(job)))

    def live_attempts(self) -> tuple[Attempt, ...]:
        """Return the attempts that have not ended, oldest first."""
        sql = f"{_SELECT_ATTEMPTS} WHERE ended IS NULL ORDER BY created"
        return tuple(self._db.read(attempt_of, sql))

    def attempts_on(self, id: ResourceId) -> tuple[Attempt, ...]:
        """Return the attempts that have not ended on a cluster, or on the clusters below `id`."""
        sql = f"{_SELECT_ATTEMPTS} WHERE ended IS NULL AND {_BELOW.format('cluster')}"
        return tuple(self._db.read(attempt_of, sql, str(id)))

    def held_nodes(self, cluster: ResourceId) -> dict[int, Attempt]:
        """Return node index -> attempt for the nodes of a cluster that are in use."""
        sql = f"{_SELECT_ATTEMPTS} WHERE cluster = ? AND ended IS NULL"
        found = self._db.read(attempt_of, sql, str(cluster))
        return {node: attempt for attempt in found for node in attempt.nodes}

    def claim(self, uuid: str, pid: int) -> bool:
        """Make a process the supervisor of an attempt; True for one process at a time."""
        with self._db.transaction() as connection:
            cursor = connection.execute(
                "UPDATE attempts SET supervisor = ? "
                "WHERE uuid = ? AND supervisor IS NULL AND ended IS NULL",
                (pid, uuid),
            )
            return cursor.rowcount == 1

    def requeue(self, uuid: str) -> bool:
        """Take an attempt from a supervisor that died before its start; False if it had begun."""
        with self._db.transaction() as connection:
            cursor = connection.execute(
                "UPDATE attempts SET supervisor = NULL WHERE uuid = ? AND state = 'queued'",
                (uuid,),
            )
            return cursor.rowcount == 1

    def allocate(self, uuid: str, slots: int) -> tuple[int, ...] | None:
        """Take all nodes that an attempt needs at once, and start it; None if it must wait.

        Attempts of a cluster come by priority, then by age. The processes of all running
        attempts stay within `slots`, but one attempt alone may have more.

        Raises:
            NotFoundError: the cluster is gone.
        """
        with self._db.transaction() as connection:
            nodes = _choose(connection, uuid, slots)
            if not isinstance(nodes, tuple):
                return None
            time = stamp(now())
            connection.execute(
                "UPDATE attempts SET state = 'running', state_since = ?, started = ?, nodes = ? "
                "WHERE uuid = ?",
                (time, time, json.dumps(nodes), uuid),
            )
            _insert_event(connection, uuid, "state", "running", {"nodes": nodes})
            return nodes

    def waiting(self, uuid: str, slots: int) -> Waiting | None:
        """Return what an attempt waits for; None if it could start now, or is not queued.

        Raises:
            NotFoundError: the cluster is gone.
        """
        with self._db.snapshot() as connection:
            found = _choose(connection, uuid, slots)
        return found if isinstance(found, Waiting) else None

    def set_phase(self, uuid: str, phase: Phase) -> None:
        """Record what a running attempt does now."""
        with self._db.transaction() as connection:
            connection.execute("UPDATE attempts SET phase = ? WHERE uuid = ?", (phase, uuid))
            _insert_event(connection, uuid, "phase", phase, {})

    def request_cancel(self, uuid: str) -> bool:
        """Ask for the end of an attempt; return whether it had not ended yet."""
        with self._db.transaction() as connection:
            cursor = connection.execute(
                "UPDATE attempts SET cancelled = 1, state_since = ?, "
                "state = CASE state WHEN 'running' THEN 'terminating' ELSE state END "
                "WHERE uuid = ? AND ended IS NULL AND cancelled = 0",
                (stamp(now()), uuid),
            )
            if cursor.rowcount:
                _insert_event(connection, uuid, "note", "cancel requested", {})
        return not self.attempt(uuid).state.ended

    def must_end(self, uuid: str) -> bool:
        """Return whether an attempt shall not go on: it was cancelled, has ended, or is deleted.

        The last two happen where a command ends an attempt that had no supervisor a moment ago.
        """
        sql = "SELECT cancelled OR ended IS NOT NULL AS over FROM attempts WHERE uuid = ?"
        row = self._db.row(sql, uuid)
        return row is None or bool(row["over"])

    def finish(
        self,
        uuid: str,
        state: ExecutionState,
        exit_code: int | None,
        errors: Sequence[JobError] = (),
        ended: datetime | None = None,
    ) -> bool:
        """Record the end of an attempt and free its nodes; False if it had ended already.

        Args:
            uuid: the attempt.
            state: the state that it ended in.
            exit_code: of the process at fault, or 0; None where nothing ended by itself.
            errors: why it failed.
            ended: when that was; None for now.
        """
        time = stamp(ended or now())
        text = json.dumps([asdict(error) for error in errors])
        with self._db.transaction() as connection:
            cursor = connection.execute(
                "UPDATE attempts SET state = ?, state_since = ?, ended = ?, exit_code = ?, "
                "errors = ?, phase = NULL, nodes = '[]', started = coalesce(started, ?) "
                "WHERE uuid = ? AND ended IS NULL",
                (state, time, time, exit_code, text, time, uuid),
            )
            if cursor.rowcount != 1:
                return False
            _insert_event(connection, uuid, "state", state, {"exitCode": exit_code})
            return True

    # Events

    def add_event(
        self, uuid: str, kind: str, message: str, data: dict[str, Any] | None = None
    ) -> None:
        """Record something that happened to an attempt."""
        with self._db.transaction() as connection:
            _insert_event(connection, uuid, kind, message, data or {})

    def events(self, uuid: str, after: int = 0) -> tuple[Event, ...]:
        """Return the events of an attempt with a sequence number above `after`."""
        sql = "SELECT * FROM events WHERE attempt = ? AND sequence > ? ORDER BY sequence"
        return tuple(self._db.read(event_of, sql, uuid, after))


def _choose(
    connection: sqlite3.Connection, uuid: str, slots: int
) -> tuple[int, ...] | Waiting | None:
    """Return the nodes for a queued attempt or what it waits for; None if it is not queued."""
    row = connection.execute(
        "SELECT rowid, * FROM attempts WHERE uuid = ? AND state = 'queued' AND cancelled = 0",
        (uuid,),
    ).fetchone()
    return None if row is None else choose_nodes(connection, row, slots)


def _text(id: ResourceId | None) -> str | None:
    return None if id is None else str(id)


def _exists(connection: sqlite3.Connection, id: ResourceId) -> bool:
    return bool(connection.execute("SELECT 1 FROM resources WHERE id = ?", (str(id),)).fetchone())


def _insert_attempt(connection: sqlite3.Connection, job: ResourceId, demand: Demand) -> str:
    alive, newest = connection.execute(
        "SELECT count(*) FILTER (WHERE ended IS NULL), coalesce(max(number), 0) "
        "FROM attempts WHERE job = ?",
        (str(job),),
    ).fetchone()
    if alive:
        raise ConflictError(
            f"the job {job.name} has not ended: wait for it, or cancel it with "
            f"`bai cancel {job.experiment}/{job.name}`"
        )
    if demand.number not in (None, newest + 1):
        raise ConflictError(f"{job.name} changed since the plan was made: run it again")
    name, time = str(uuid.uuid4()), stamp(now())
    connection.execute(
        "INSERT INTO attempts (uuid, job, number, cluster, node_count, process_count, priority, "
        "state, created, state_since) VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?)",
        (
            name,
            str(job),
            newest + 1,
            str(demand.cluster),
            demand.nodes,
            demand.processes,
            PRIORITIES[demand.priority],
            time,
            time,
        ),
    )
    _insert_event(connection, name, "state", "queued", {})
    return name


def _insert_event(
    connection: sqlite3.Connection, attempt: str, kind: str, message: str, data: dict[str, Any]
) -> None:
    connection.execute(
        "INSERT INTO events (attempt, time, kind, message, data) VALUES (?, ?, ?, ?, ?)",
        (attempt, stamp(now()), kind, message, json.dumps(data)),
    )
