"""Attempts and their events in the database: each is started at most once, and always ends."""

from __future__ import annotations

import json
import sqlite3
import uuid
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from bai.compiler.resources.ids import ResourceId
from bai.runtime.errors import NotFoundError
from bai.runtime.jobs.records import Attempt, End, Event, Phase, Waiting
from bai.runtime.provider.database import BELOW, Database
from bai.runtime.provider.row_mapping import ATTEMPT_COLUMNS, attempt_of, event_of, now, stamp
from bai.runtime.provider.scheduler import choose_nodes
from bai.specs.errors import ConflictError

PRIORITIES = {"low": 0, "normal": 1, "high": 2}
_SELECT = f"SELECT {ATTEMPT_COLUMNS} FROM attempts"  # noqa: S608


@dataclass(frozen=True, slots=True)
class Demand:
    """What an attempt needs of a cluster."""

    cluster: ResourceId
    nodes: int
    processes: int
    priority: str = "normal"
    number: int | None = None
    """Expected attempt number (an optimistic lock); None for any."""


class Attempts:
    """The attempts of one state folder."""

    def __init__(self, database: Database) -> None:
        """Use the database of a store."""
        self._db = database

    def get(self, uuid: str) -> Attempt:
        """Return one attempt.

        Raises:
            NotFoundError: there is none.
        """
        found = self._db.read(attempt_of, f"{_SELECT} WHERE uuid = ?", uuid)
        if not found:
            raise NotFoundError(f"there is no attempt {uuid}")
        return found[0]

    def of_job(self, job: ResourceId) -> tuple[Attempt, ...]:
        """Return the attempts of a job, oldest first."""
        sql = f"{_SELECT} WHERE job = ? ORDER BY number"
        return tuple(self._db.read(attempt_of, sql, str(job)))

    def alive(self) -> tuple[Attempt, ...]:
        """Return the attempts that have not ended, oldest first."""
        sql = f"{_SELECT} WHERE ended IS NULL ORDER BY created"
        return tuple(self._db.read(attempt_of, sql))

    def on(self, id: ResourceId) -> tuple[Attempt, ...]:
        """Return the attempts that have not ended on a cluster, or on the clusters below `id`."""
        sql = f"{_SELECT} WHERE ended IS NULL AND {BELOW.format('cluster')}"
        return tuple(self._db.read(attempt_of, sql, str(id)))

    def held_nodes(self, cluster: ResourceId) -> dict[int, Attempt]:
        """Return node index -> attempt for the nodes of a cluster that are in use."""
        sql = f"{_SELECT} WHERE cluster = ? AND ended IS NULL"
        found = self._db.read(attempt_of, sql, str(cluster))
        return {node: attempt for attempt in found for node in attempt.nodes}

    def claim(self, uuid: str, pid: int) -> bool:
        """Make a process the supervisor of an attempt; False if it has one, or has ended."""
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
                "UPDATE attempts SET supervisor = NULL WHERE uuid = ? AND state = 'queued'", (uuid,)
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
        return not self.get(uuid).state.ended

    def must_end(self, uuid: str) -> bool:
        """Return whether an attempt shall not go on: it was cancelled, has ended, or is deleted.

        The last two happen where a command ends an attempt that had no supervisor a moment ago.
        """
        sql = "SELECT cancelled OR ended IS NOT NULL AS over FROM attempts WHERE uuid = ?"
        row = self._db.row(sql, uuid)
        return row is None or bool(row["over"])

    def finish(self, uuid: str, end: End, ended: datetime | None = None) -> bool:
        """Record the end of an attempt and free its nodes; False if it had ended already.

        Args:
            uuid: the attempt.
            end: how it ended.
            ended: when that was; None for now.
        """
        time = stamp(ended or now())
        text = json.dumps([asdict(error) for error in end.errors])
        with self._db.transaction() as connection:
            cursor = connection.execute(
                "UPDATE attempts SET state = ?, state_since = ?, ended = ?, exit_code = ?, "
                "errors = ?, phase = NULL, nodes = '[]', started = coalesce(started, ?) "
                "WHERE uuid = ? AND ended IS NULL",
                (end.state, time, time, end.exit_code, text, time, uuid),
            )
            if cursor.rowcount != 1:
                return False
            _insert_event(connection, uuid, "state", end.state, {"exitCode": end.exit_code})
            return True

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


def insert_attempt(connection: sqlite3.Connection, job: ResourceId, demand: Demand) -> str:
    """Queue an attempt of a job, in a transaction of the caller's; return its uuid.

    Raises:
        ConflictError: the last one has not ended, or is not the one before `demand.number`.
    """
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


def _choose(
    connection: sqlite3.Connection, uuid: str, slots: int
) -> tuple[int, ...] | Waiting | None:
    """Return the nodes for a queued attempt or what it waits for; None if it is not queued."""
    row = connection.execute(
        "SELECT rowid, * FROM attempts WHERE uuid = ? AND state = 'queued' AND cancelled = 0",
        (uuid,),
    ).fetchone()
    return None if row is None else choose_nodes(connection, row, slots)


def _insert_event(
    connection: sqlite3.Connection, attempt: str, kind: str, message: str, data: dict[str, Any]
) -> None:
    connection.execute(
        "INSERT INTO events (attempt, time, kind, message, data) VALUES (?, ?, ?, ?, ?)",
        (attempt, stamp(now()), kind, message, json.dumps(data)),
    )
