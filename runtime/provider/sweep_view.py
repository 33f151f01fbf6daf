"""Sweeps as scheduling decisions see them: every query is answered from an index."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any, Final

from bai.runtime.scheduling.records import Queued, SweepLimits

SELECT_QUEUED: Final = (
    "SELECT rowid AS age, uuid, job, cluster, node_count, process_count, priority, sweep "
    "FROM attempts WHERE "
)
"""What `queued_of` reads; a condition follows."""
_IS_ALIVE: Final = "ended IS NULL AND sweep = ?"
# Goes from one sweep to the next one in the index, and not through their members.
_SWEEPS: Final = (
    "WITH RECURSIVE found (id) AS ("
    "SELECT min(sweep) FROM attempts WHERE ended IS NULL AND sweep IS NOT NULL UNION ALL "
    "SELECT (SELECT min(sweep) FROM attempts WHERE ended IS NULL AND sweep > found.id) "
    "FROM found WHERE found.id IS NOT NULL) "
    "SELECT sweeps.* FROM found JOIN sweeps ON sweeps.id = found.id"
)


class SweepView:
    """Queries about sweeps on one consistent state, inside a transaction of the caller's."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Query a database."""
        self._db = connection

    def sweeps(self) -> list[SweepLimits]:
        """Return the sweeps with members that have not ended."""
        return [_limits(row) for row in self._db.execute(_SWEEPS)]

    def sweep(self, sweep: str) -> SweepLimits | None:
        """Return the limits of a sweep; None if none were put."""
        row = self._db.execute("SELECT * FROM sweeps WHERE id = ?", (sweep,)).fetchone()
        return _limits(row) if row else None

    def held(self, sweep: str) -> Iterator[Queued]:
        """Return the held members of a sweep, oldest first."""
        sql = f"{SELECT_QUEUED}{_IS_ALIVE} AND held = 1 ORDER BY rowid"
        return map(queued_of, self._db.execute(sql, (sweep,)))

    def held_member(self, attempt: str) -> Queued | None:
        """Return an attempt that is held; None if it is not."""
        sql = f"{SELECT_QUEUED}uuid = ? AND ended IS NULL AND held = 1"
        row = self._db.execute(sql, (attempt,)).fetchone()
        return queued_of(row) if row else None

    def held_before(self, queued: Queued) -> int:
        """Return how many held members of its sweep are older than this one."""
        sql = f"SELECT count(*) FROM attempts WHERE {_IS_ALIVE} AND held = 1 AND rowid < ?"  # noqa: S608
        return self._number(sql, queued.sweep, queued.order)

    def active(self, sweep: str) -> int:
        """Return how many members of a sweep are neither held nor have ended."""
        sql = f"SELECT count(*) FROM attempts WHERE {_IS_ALIVE} AND held = 0"  # noqa: S608
        return self._number(sql, sweep)

    def unstarted(self, sweep: str) -> Iterator[Queued]:
        """Return the members of a sweep that wait for their first run.

        Those in a queue first, then the held ones; each oldest first.
        """
        sql = (
            f"{SELECT_QUEUED}{_IS_ALIVE} AND state = 'queued' "
            "AND (run = 0 OR (run = 1 AND launches > 0)) ORDER BY held, rowid"
        )
        return map(queued_of, self._db.execute(sql, (sweep,)))

    def _number(self, sql: str, *values: object) -> int:
        return int(self._db.execute(sql, values).fetchone()[0])


def _limits(row: Any) -> SweepLimits:
    settings = json.loads(row["settings"])
    return SweepLimits(
        row["id"], settings.get("concurrency"), settings.get("stopAfterFailures"), row["failures"]
    )


def queued_of(row: Any) -> Queued:
    """Return the queued attempt in a row of `SELECT_QUEUED`."""
    return Queued(
        row["uuid"],
        row["job"],
        row["cluster"],
        row["node_count"],
        row["process_count"],
        row["priority"],
        row["age"],
        row["sweep"],
    )
