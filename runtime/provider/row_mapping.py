"""Maps rows of the database to records."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bai.compiler.resources.ids import ResourceId
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
    "launches, handle, stop, journal_read"
)
"""The columns that `attempt_of` reads; they may stand beside those of a resource."""


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
    values = _named(row)
    return StoredResource(
        ResourceId.parse(values["id"]),
        json.loads(values["wire"]),
        datetime.fromisoformat(values["made"]),
        _attempt(values) if values["uuid"] else None,
        bool(values["deleting"]),
    )


def place_of(resource: StoredResource) -> str:
    """Return the place of a resource in lists, which `page` begins behind."""
    return f"{stamp(resource.created)} {resource.id}"


def attempt_of(row: sqlite3.Row) -> Attempt:
    """Return the attempt in a row of `ATTEMPT_COLUMNS`."""
    return _attempt(_named(row))


def _named(row: sqlite3.Row) -> dict[str, Any]:
    # Many times faster than to ask the row for each name.
    return dict(zip(row.keys(), row, strict=True))


def _attempt(row: Mapping[str, Any]) -> Attempt:
    def time(name: str) -> datetime | None:
        return datetime.fromisoformat(row[name]) if row[name] else None

    return Attempt(
        uuid=row["uuid"],
        job=ResourceId.parse(row["job"]),
        cluster=ResourceId.parse(row["cluster"]),
        number=row["number"],
        process_count=row["process_count"],
        state=ExecutionState(row["state"]),
        created=datetime.fromisoformat(row["created"]),
        state_since=datetime.fromisoformat(row["state_since"]),
        phase=Phase(row["phase"]) if row["phase"] else None,
        started=time("started"),
        ended=time("ended"),
        exit_code=row["exit_code"],
        errors=tuple(JobError(**error) for error in _list(row["errors"])),
        nodes=tuple(_list(row["nodes"])),
        run=row["run"],
        launches=row["launches"],
        handle=row["handle"],
        stop=StopReason(row["stop"]) if row["stop"] else None,
        journal_read=row["journal_read"],
    )


def node_of(cluster: ResourceId, row: sqlite3.Row) -> LiveNode:
    """Return the node of a cluster in a row."""
    return LiveNode(
        cluster,
        row["number"],
        row["state"],
        datetime.fromisoformat(row["since"]),
        ResourceId.parse(row["job"]) if row["job"] else None,
    )


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
