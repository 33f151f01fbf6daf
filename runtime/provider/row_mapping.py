"""Maps rows of the database to records."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.sweep import SweepId
from bai.runtime.jobs.records import (
    Attempt,
    Event,
    ExecutionState,
    JobError,
    LiveNode,
    Phase,
    StopReason,
)

ATTEMPT_COLUMNS = (
    "attempts.uuid, attempts.job, attempts.cluster, number, process_count, state, phase, "
    "attempts.created AS created, state_since, started, ended, exit_code, errors, nodes, run, "
    "launches, handle, stop, journal_read, attempts.sweep"
)
"""The columns that `attempt_of` reads, in this order; they may stand behind a resource's."""


@dataclass(frozen=True, slots=True)
class StoredResource:
    """A row of the resources."""

    id: ResourceId
    wire: dict[str, Any]
    """The live wire form, with markers for secrets."""
    created: datetime
    attempt: Attempt | None
    deleting: bool
    """Whether it is marked for deletion."""


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


def stamp(time: datetime) -> str:
    """Return a time as the database stores it: text of one length, which sorts by time."""
    return time.isoformat(timespec="microseconds")


def resource_of(row: sqlite3.Row) -> StoredResource:
    """Return a resource, with its newest attempt where the row has one."""
    id, wire, created, deleting, *attempt = row
    return StoredResource(
        ResourceId.parse(id),
        json.loads(wire),
        datetime.fromisoformat(created),
        attempt_of(attempt) if attempt[0] else None,
        bool(deleting),
    )


def place_of(resource: StoredResource) -> str:
    """Return the place of a resource in lists, which `page` begins behind."""
    return f"{stamp(resource.created)} {resource.id}"


def attempt_of(row: Iterable[Any]) -> Attempt:
    """Return the attempt in a row of `ATTEMPT_COLUMNS`."""
    # Unpacked at once, which is many times faster than to ask the row for each name.
    uuid, job, cluster, number, process_count, state, phase, created, state_since, *rest = row
    started, ended, exit_code, errors, nodes, run, launches, handle, stop, *rest = rest
    journal_read, sweep = rest
    return Attempt(
        uuid=uuid,
        job=ResourceId.parse(job),
        cluster=ResourceId.parse(cluster),
        number=number,
        state=ExecutionState(state),
        process_count=process_count,
        created=datetime.fromisoformat(created),
        state_since=datetime.fromisoformat(state_since),
        phase=Phase(phase) if phase else None,
        started=datetime.fromisoformat(started) if started else None,
        ended=datetime.fromisoformat(ended) if ended else None,
        exit_code=exit_code,
        errors=_errors(errors),
        nodes=tuple(_list(nodes)),
        run=run,
        launches=launches,
        handle=handle,
        stop=StopReason(stop) if stop else None,
        journal_read=journal_read,
        sweep=SweepId.parse(sweep) if sweep else None,
    )


def node_of(cluster: ResourceId, row: sqlite3.Row) -> LiveNode:
    """Return the node of a cluster in a row."""
    return LiveNode(
        cluster,
        row["number"],
        row["state"],
        datetime.fromisoformat(row["since"]),
        ResourceId.parse(row["job"]) if row["job"] else None,
        _errors(row["errors"]),
    )


def _errors(text: str) -> tuple[JobError, ...]:
    return tuple(JobError(**error) for error in _list(text))


def _list(text: str) -> list[Any]:
    # Most are empty, and long lists are made of many rows.
    found: list[Any] = [] if text == "[]" else json.loads(text)
    return found


def event_of(row: sqlite3.Row) -> Event:
    """Return the event in a row."""
    return Event(
        row["sequence"],
        row["attempt"],
        datetime.fromisoformat(row["time"]),
        row["kind"],
        row["message"],
        json.loads(row["data"]),
    )
