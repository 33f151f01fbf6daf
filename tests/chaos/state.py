"""What the database of a world holds at one moment, read without bai."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from math import inf
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Attempt:
    """An attempt of a job."""

    uuid: str
    job: str
    """The name of its job."""
    logs: str
    """The folder of its logs."""
    state: str
    nodes: int
    """How many it needs."""
    priority: int
    age: int
    run: int
    created: float
    started: float
    """When its last run began; without end if none did."""
    ended: float
    """When it ended; without end if it has not."""
    held: tuple[int, ...] = ()
    """Numbers of the nodes that it holds."""
    exit_code: int | None = None
    error: str | None = None
    message: str = ""
    sweep: str | None = None
    """The name of its sweep."""
    is_kept: bool = False
    """Whether its sweep keeps it out of the queue."""

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.state in ("succeeded", "failed")

    @property
    def is_live(self) -> bool:
        """Whether a run of it holds nodes."""
        return self.state in ("running", "terminating")

    @property
    def newest(self) -> tuple[str, int]:
        """The name of its newest run."""
        return self.uuid, self.run


@dataclass(frozen=True)
class Snapshot:
    """Attempts and nodes at one moment."""

    attempts: dict[str, Attempt]
    """By uuid."""
    nodes: tuple[tuple[int, str, str | None], ...] = ()
    """The number, the state and the attempt of each node."""

    def states(self) -> Counter[str]:
        """Return how many nodes are in each state."""
        return Counter(state for _, state, _ in self.nodes)

    def live(self) -> list[Attempt]:
        """Return the attempts that hold nodes."""
        return [attempt for attempt in self.attempts.values() if attempt.is_live]

    def queue(self) -> list[Attempt]:
        """Return the attempts that are queued: by priority, then by age."""
        queued = [e for e in self.attempts.values() if e.state == "queued" and not e.is_kept]
        return sorted(queued, key=lambda each: (-each.priority, each.age))


def read(state: Path) -> Snapshot:
    """Read the database of a state folder; nothing is in it where there is none."""
    path = state / "state.db"
    if not path.exists():
        return Snapshot({})
    with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as database:
        database.row_factory = sqlite3.Row
        database.execute("BEGIN")
        if database.execute("PRAGMA user_version").fetchone()[0] == 0:
            # The command that was to make the tables has not come to it yet.
            return Snapshot({})
        rows = database.execute("SELECT rowid AS age, * FROM attempts ORDER BY number").fetchall()
        nodes = database.execute("SELECT number, state, attempt FROM nodes").fetchall()
    attempts = {row["uuid"]: _attempt(row, state) for row in rows}
    return Snapshot(attempts, tuple(map(tuple, nodes)))


def is_sound(state: Path) -> str:
    """Return what SQLite says of the database: `ok`."""
    path = state / "state.db"
    if not path.exists():
        return "ok"
    with closing(sqlite3.connect(path, timeout=30)) as database:
        ((said,),) = database.execute("PRAGMA integrity_check").fetchall()[:1]
    return str(said)


def _attempt(row: Any, state: Path) -> Attempt:
    words = row["job"].strip("/").split("/")
    segment = "/".join([words[1], words[3], *words[6:], row["uuid"]])
    errors = json.loads(row["errors"])
    return Attempt(
        uuid=row["uuid"],
        job=words[-1],
        logs=f"{state}/storage/default/files/r/{segment}/stdouterr",
        state=row["state"],
        nodes=row["node_count"],
        priority=row["priority"],
        age=row["age"],
        run=row["run"],
        created=_seconds(row["created"]),
        started=_seconds(row["started"]),
        ended=_seconds(row["ended"]),
        held=tuple(json.loads(row["nodes"])),
        sweep=(row["sweep"] or "").rpartition("/")[2] or None,
        is_kept=bool(row["held"]),
        exit_code=row["exit_code"],
        error=errors[0]["code"] if errors else None,
        message=errors[0]["message"] if errors else "",
    )


def _seconds(stamp: str | None) -> float:
    return datetime.fromisoformat(stamp).timestamp() if stamp else inf
