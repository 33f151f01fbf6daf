"""Reports of a sweep's members as rows of the database, inside a transaction of the caller's.

Each row has the value of the sweep's metric as it was reported, and the best one of its job up to
that step. Rows are numbered in the order in which they came, so that decisions can be made again.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from bai.compiler.resources.sweep import Goal, Objective, Sweep
from bai.runtime.jobs.journal import Record
from bai.runtime.jobs.records import Attempt, StopReason
from bai.runtime.jobs.reports import REPORT, Report, report_of
from bai.runtime.provider.attempt_rows import ask_to_stop
from bai.runtime.provider.row_mapping import stamp
from bai.runtime.provider.sweep_rows import find_sweep
from bai.runtime.scheduling.early_stopping import Progress, Verdict, verdict

_OTHERS: Final = (
    "WITH others AS (SELECT uuid FROM attempts AS a WHERE sweep = :sweep AND job != :job "
    "AND number = (SELECT max(number) FROM attempts WHERE job = a.job))"
)
_UNTIL: Final = (
    f"{_OTHERS} SELECT (SELECT best FROM reports "  # noqa: S608
    "WHERE attempt = uuid AND step <= :step ORDER BY step DESC, sequence DESC LIMIT 1) "
    "FROM others WHERE EXISTS (SELECT 1 FROM reports WHERE attempt = uuid AND step >= :step) "
    "AND EXISTS (SELECT 1 FROM reports WHERE attempt = uuid AND step <= :step)"
)
_FROM: Final = (
    f"{_OTHERS} SELECT (SELECT best FROM reports "  # noqa: S608
    "WHERE attempt = uuid AND step >= :step ORDER BY step, sequence LIMIT 1) "
    "FROM others WHERE EXISTS (SELECT 1 FROM reports WHERE attempt = uuid AND step >= :step)"
)


def add_reports(
    connection: sqlite3.Connection, attempt: Attempt, records: Iterable[Record], time: datetime
) -> Attempt | None:
    """Store what a member of a sweep has reported, and have its sweep compare it.

    Args:
        connection: the database.
        attempt: the member, as it is after the records.
        records: of its journal; those that are no reports are left alone.
        time: the time here.

    Returns:
        The attempt, if it is asked to end for that; None if it goes on.
    """
    found = [report_of(each.data) for each in records if each.kind == REPORT]
    sweep = find_sweep(connection, attempt.sweep) if found and attempt.sweep else None
    if sweep is None or sweep.objective is None:
        return None
    stopped = None
    for report in found:
        if report and report.counts and sweep.objective.metric in report.values:
            said = _add(connection, attempt, sweep, sweep.objective, report)
            if said and not stopped and attempt.holds_nodes and attempt.stop is None:
                note = _words(said, sweep.objective)
                stopped = ask_to_stop(connection, attempt, StopReason.EARLY, time, note)
    return stopped


def _add(
    connection: sqlite3.Connection,
    attempt: Attempt,
    sweep: Sweep,
    objective: Objective,
    report: Report,
) -> Verdict | None:
    """Store a report; return why its sweep ends the member, or None."""
    sql = "SELECT coalesce(max(step), -1) FROM reports WHERE attempt = ?"
    (before,) = connection.execute(sql, (attempt.uuid,)).fetchone()
    sql = (
        "SELECT best FROM reports WHERE attempt = ? AND step <= ? "
        "ORDER BY step DESC, sequence DESC LIMIT 1"
    )
    row = connection.execute(sql, (attempt.uuid, report.step)).fetchone()
    value = report.values[objective.metric]
    best = min(_cost(value, objective), _cost(row[0] if row else None, objective))
    connection.execute(
        "INSERT INTO reports (attempt, time, step, value, best) VALUES (?, ?, ?, ?, ?)",
        (attempt.uuid, _stamp(report.time), report.step, value, _value(best, objective)),
    )
    if sweep.early_stopping is None:
        return None
    others = _Others(connection, attempt, objective)
    return verdict(sweep.early_stopping, Progress(report.step, before, best), others)


@dataclass(frozen=True, slots=True)
class _Others:
    """The other members of the sweep of an attempt, each by its job's newest attempt."""

    connection: sqlite3.Connection
    attempt: Attempt
    objective: Objective

    def best_until(self, step: int) -> Sequence[float]:
        """Return the least cost up to a step, of each that has come as far."""
        return self._costs(_UNTIL, step)

    def best_from(self, step: int) -> Sequence[float]:
        """Return the least cost up to its first report from a step on, of each that has one."""
        return self._costs(_FROM, step)

    def _costs(self, sql: str, step: int) -> Sequence[float]:
        known: Mapping[str, Any] = {
            "sweep": str(self.attempt.sweep),
            "job": str(self.attempt.job),
            "step": step,
        }
        rows = self.connection.execute(sql, known)
        return [_cost(best, self.objective) for (best,) in rows]


def _cost(value: float | None, objective: Objective) -> float:
    """Return a value as a cost. The worst is what is not a number: NULL in the database."""
    if value is None or math.isnan(value):
        return math.inf
    return value if objective.goal is Goal.MINIMIZE else -value


def _value(cost: float, objective: Objective) -> float | None:
    return None if cost == math.inf else cost if objective.goal is Goal.MINIMIZE else -cost


def _stamp(seconds: float) -> str:
    try:
        return stamp(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        # Scripts may write any number.
        return stamp(datetime.fromtimestamp(0, UTC))


def _words(said: Verdict, objective: Objective) -> str:
    """Return what an event says of a member that is ended."""
    best, limit = (_value(cost, objective) for cost in (said.best, said.limit))
    shown = "not a number" if best is None else f"{best:.4g}"
    assert limit is not None
    return (
        f"stopped early at step {said.step}: its best {objective.metric}, {shown}, is worse than "
        f"{limit:.4g}, {said.rule}"
    )
