"""Sweeps as rows of the database, inside a transaction of the caller's."""

from __future__ import annotations

import json
import sqlite3
from typing import Final

from bai.compiler.resources.sweep import Sweep, SweepId

_FORGET: Final = "DELETE FROM reports WHERE attempt IN (SELECT uuid FROM attempts WHERE sweep = ?)"


def insert_sweep(connection: sqlite3.Connection, sweep: Sweep) -> None:
    """Store a sweep in place of its older form; none of its members has failed then.

    What they have reported stays, unless it is compared by another metric from now on.
    """
    before = find_sweep(connection, sweep.id)
    if before and before.objective != sweep.objective:
        connection.execute(_FORGET, (str(sweep.id),))
    connection.execute(
        "INSERT INTO sweeps (id, experiment, settings) VALUES (?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET settings = excluded.settings, failures = 0",
        (str(sweep.id), str(sweep.id.experiment), json.dumps(sweep.to_json())),
    )


def find_sweep(connection: sqlite3.Connection, id: SweepId) -> Sweep | None:
    """Return a sweep; None if there is none."""
    row = connection.execute("SELECT * FROM sweeps WHERE id = ?", (str(id),)).fetchone()
    return sweep_of_row(row) if row else None


def sweep_of_row(row: sqlite3.Row) -> Sweep:
    """Return the sweep in a row."""
    return Sweep.from_json(SweepId.parse(row["id"]), json.loads(row["settings"]))


def is_held(connection: sqlite3.Connection, sweep: SweepId | None) -> bool:
    """Return whether a new member of a sweep is held, until it is released."""
    sql = "SELECT 1 FROM sweeps WHERE id = ? AND json_extract(settings, '$.concurrency') > 0"
    return sweep is not None and bool(connection.execute(sql, (str(sweep),)).fetchone())


def release(connection: sqlite3.Connection, attempt: str) -> None:
    """Put a held attempt into the queue."""
    connection.execute("UPDATE attempts SET held = 0 WHERE uuid = ?", (attempt,))


def count_failure(connection: sqlite3.Connection, sweep: SweepId) -> None:
    """Count that a member of a sweep has failed."""
    connection.execute("UPDATE sweeps SET failures = failures + 1 WHERE id = ?", (str(sweep),))


def withdrawn(sweep: SweepId, failures: int) -> str:
    """Return what an event says of a member that is not started after failures."""
    have = "job has" if failures == 1 else "jobs have"
    return f"not started: {failures} {have} failed in the sweep {sweep.name}"
