"""What the records of a journal make of an attempt: the same for whoever imports or only reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from bai.runtime.jobs.journal import Record
from bai.runtime.jobs.records import (
    Attempt,
    End,
    ExecutionState,
    Phase,
    StopReason,
    terminated,
)
from bai.runtime.jobs.reports import REPORT


class Step(NamedTuple):
    """What a record of a journal adds to the history of an attempt: an event."""

    time: datetime
    kind: str
    """`phase`, `rank`, `state`, `note` or `error`."""
    message: str
    data: Mapping[str, Any]


def advanced(attempt: Attempt, records: Iterable[Record]) -> tuple[Attempt, list[Step]]:
    """Return an attempt as it is after records of its newest run, and what happened.

    Records that make no sense change nothing, nor do those behind the end.
    """
    steps = []
    for record in records:
        if not attempt.is_launched:
            break
        try:
            attempt, step = _advanced(attempt, record)
        except (ValueError, KeyError, TypeError):
            continue
        if step:
            steps.append(step)
    return attempt, steps


def ended(attempt: Attempt, end: End, time: datetime) -> Attempt:
    """Return an attempt as it is after the end of a run: ended, or queued again.

    One that is to be queued again, and that its user has cancelled meanwhile, is cancelled.
    """
    if end.state is ExecutionState.QUEUED and attempt.stop is StopReason.CANCEL:
        end = terminated()
    # The clock of another machine may be behind.
    time = max(time, attempt.state_since)
    free = replace(attempt, state=end.state, state_since=time, phase=None, nodes=(), handle=None)
    if end.state is ExecutionState.QUEUED:
        return replace(free, started=None, stop=None, launches=0)
    return replace(free, ended=time, exit_code=end.exit_code, errors=end.errors)


def _advanced(attempt: Attempt, record: Record) -> tuple[Attempt, Step | None]:
    match record.kind:
        case "claimed":
            return _claimed(attempt, record)
        case "phase":
            phase = Phase(record.message)
            return replace(attempt, phase=phase), Step(record.time, "phase", phase, {})
        case "end":
            after = ended(attempt, record.as_end(), record.time)
            return after, end_of_run(after)
        case kind if kind == REPORT:
            # It belongs to the sweep, and not to the history.
            return attempt, None
    return attempt, Step(record.time, record.kind, record.message, record.data)


def _claimed(attempt: Attempt, record: Record) -> tuple[Attempt, Step | None]:
    """Return an attempt whose newest run has a supervisor; in the engine's queue, it begins now."""
    was_queued = attempt.state is ExecutionState.QUEUED
    # A supervisor that starts has nothing to do with earlier ones that did not.
    attempt = replace(attempt, handle=record.message, launches=0)
    if attempt.started is None:
        time = max(record.time, attempt.state_since)
        attempt = replace(attempt, started=time, nodes=tuple(record.data["nodes"]))
    if not was_queued:
        return attempt, None
    assert attempt.started is not None
    after = replace(attempt, state=ExecutionState.RUNNING, state_since=attempt.started)
    data = {"nodes": list(after.nodes), "run": after.run}
    return after, Step(after.state_since, "state", after.state, data)


def end_of_run(after: Attempt) -> Step:
    """Return the event for the end of a run, from the attempt as it is after it."""
    queued = after.state is ExecutionState.QUEUED
    data = {"run": after.run} if queued else {"exitCode": after.exit_code}
    return Step(after.state_since, "state", after.state, data)
