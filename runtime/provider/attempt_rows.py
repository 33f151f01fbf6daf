"""Attempts and events as rows of the database, inside a transaction of the caller's."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.sweep import SweepId
from bai.runtime.jobs.progress import end_of_run, ended
from bai.runtime.jobs.records import Attempt, ExecutionState, StopReason, stopped
from bai.runtime.provider.row_mapping import ATTEMPT_COLUMNS, attempt_of, now, stamp
from bai.runtime.provider.sweep_rows import is_held
from bai.specs.errors import ConflictError

PRIORITIES: Final = {"low": 0, "normal": 1, "high": 2}
_ASKED: Final = {
    StopReason.CANCEL: "cancel requested",
    StopReason.REQUEUE: "its nodes go: it is ended, and queued again",
    StopReason.RESIZE: "its nodes go: it is ended",
    StopReason.FAILURES: "so many jobs of its sweep have failed that it is not started",
    StopReason.EARLY: "stopped early: it does worse than other jobs of its sweep",
}
"""What an event says of a run that shall end."""
SELECT: Final = f"SELECT {ATTEMPT_COLUMNS} FROM attempts"  # noqa: S608


@dataclass(frozen=True, slots=True)
class Demand:
    """What an attempt needs of a cluster."""

    cluster: ResourceId
    nodes: int
    processes: int
    priority: str = "normal"
    number: int | None = None
    """Expected attempt number (an optimistic lock); None for any."""
    sweep: SweepId | None = None
    """The sweep that its job is a member of."""
    uuid: str = field(default_factory=lambda: str(uuid4()))
    """The attempt's name."""


def find_attempt(connection: sqlite3.Connection, uuid: str) -> Attempt | None:
    """Return an attempt; None if there is none."""
    row = connection.execute(f"{SELECT} WHERE uuid = ?", (uuid,)).fetchone()
    return attempt_of(row) if row else None


def select_attempt(connection: sqlite3.Connection, uuid: str) -> Attempt:
    """Return an attempt that is there."""
    found = find_attempt(connection, uuid)
    assert found is not None
    return found


def insert_attempt(connection: sqlite3.Connection, job: ResourceId, demand: Demand) -> None:
    """Queue an attempt of a job; hold it where its sweep has a concurrency.

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
        raise ConflictError(
            f"{job.name} changed since the plan was made: `bai diff` shows what is left"
        )
    time = now()
    connection.execute(
        "INSERT INTO attempts (uuid, job, number, cluster, node_count, process_count, priority, "
        "state, created, state_since, sweep, held) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?)",
        (
            demand.uuid,
            str(job),
            newest + 1,
            str(demand.cluster),
            demand.nodes,
            demand.processes,
            PRIORITIES[demand.priority],
            stamp(time),
            stamp(time),
            demand.sweep and str(demand.sweep),
            is_held(connection, demand.sweep),
        ),
    )
    insert_event(connection, demand.uuid, time, "state", ExecutionState.QUEUED)


def submit(connection: sqlite3.Connection, attempt: Attempt) -> None:
    """Give a queued attempt a new run, which waits in the engine's queue from now on."""
    save(connection, replace(attempt, run=attempt.run + 1, launches=1, journal_read=0))


def start(
    connection: sqlite3.Connection, attempt: Attempt, nodes: Sequence[int], time: datetime
) -> None:
    """Give a queued attempt its nodes, for a new run."""
    after = replace(
        attempt,
        state=ExecutionState.RUNNING,
        state_since=time,
        started=time,
        nodes=tuple(nodes),
        run=attempt.run + 1,
        launches=attempt.launches + 1,
        journal_read=0,
    )
    save(connection, after)
    connection.executemany(
        "UPDATE nodes SET state = 'running', since = ?, attempt = ? "
        "WHERE cluster = ? AND number = ?",
        [(stamp(time), attempt.uuid, str(attempt.cluster), number) for number in nodes],
    )
    data = {"nodes": list(nodes), "run": after.run}
    insert_event(connection, attempt.uuid, time, "state", after.state, data)


def ask_to_stop(
    connection: sqlite3.Connection,
    attempt: Attempt,
    reason: StopReason,
    time: datetime,
    note: str | None = None,
) -> Attempt:
    """Note that an attempt shall end; one without a run has ended then.

    That the user cancels outweighs all else.

    Args:
        connection: the database.
        attempt: the attempt, which has not ended.
        reason: why.
        time: when.
        note: what the event says; None for what follows from the reason.
    """
    if attempt.state is ExecutionState.QUEUED and not attempt.is_submitted:
        if reason is not StopReason.FAILURES:
            reason = StopReason.CANCEL
        after = ended(attempt, stopped(reason), time)
        save(connection, after)
        insert_event(connection, attempt.uuid, time, "note", note or _ASKED[reason])
        insert_event(connection, attempt.uuid, *end_of_run(after))
        return after
    if attempt.stop is reason or (attempt.stop and reason is not StopReason.CANCEL):
        return attempt
    after = replace(attempt, stop=reason, state=ExecutionState.TERMINATING, state_since=time)
    save(connection, after)
    insert_event(connection, attempt.uuid, time, "note", note or _ASKED[reason])
    return after


def save(connection: sqlite3.Connection, attempt: Attempt) -> None:
    """Write what of an attempt may change."""
    connection.execute(
        "UPDATE attempts SET state = ?, state_since = ?, started = ?, ended = ?, exit_code = ?, "
        "errors = ?, phase = ?, nodes = ?, run = ?, launches = ?, handle = ?, stop = ?, "
        "journal_read = ? WHERE uuid = ?",
        (
            attempt.state,
            stamp(attempt.state_since),
            attempt.started and stamp(attempt.started),
            attempt.ended and stamp(attempt.ended),
            attempt.exit_code,
            json.dumps([asdict(error) for error in attempt.errors]),
            attempt.phase,
            json.dumps(attempt.nodes),
            attempt.run,
            attempt.launches,
            attempt.handle,
            attempt.stop,
            attempt.journal_read,
            attempt.uuid,
        ),
    )


def insert_event(
    connection: sqlite3.Connection,
    attempt: str,
    time: datetime,
    kind: str,
    message: str,
    data: Mapping[str, Any] | None = None,
) -> None:
    """Add something that happened to an attempt."""
    connection.execute(
        "INSERT INTO events (attempt, time, kind, message, data) VALUES (?, ?, ?, ?, ?)",
        (attempt, stamp(time), kind, message, json.dumps(dict(data or {}))),
    )
