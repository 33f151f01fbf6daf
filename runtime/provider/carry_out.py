"""Carries out in the database what scheduling decides.

Every function runs inside a transaction of the caller's, so that what a decision read still holds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, assert_never
from uuid import uuid4

from bai.compiler.resources.sweep import SweepId
from bai.runtime.jobs.progress import Step
from bai.runtime.jobs.records import Attempt, ExecutionState, StopReason
from bai.runtime.provider.attempt_rows import (
    ask_to_stop,
    insert_event,
    save,
    select_attempt,
    start,
    submit,
)
from bai.runtime.provider.cluster_view import DatabaseView
from bai.runtime.provider.row_mapping import stamp
from bai.runtime.provider.sweep_rows import count_failure, release, withdrawn
from bai.runtime.scheduling.ends import released
from bai.runtime.scheduling.instructions import (
    AddNodes,
    ChangeNodes,
    Instruction,
    QueueAgain,
    Release,
    RemoveNodes,
    Requeue,
    Start,
    Submit,
    Terminate,
    Withdraw,
)
from bai.runtime.scheduling.records import AutoScale, Deallocation, ManualScale, NodeState


@dataclass(slots=True)
class Changes:
    """What the engine has to do after the transaction."""

    started: list[str] = field(default_factory=list)
    """Attempts that got their nodes or go to the engine's queue, to launch."""
    stopped: list[Attempt] = field(default_factory=list)
    """Attempts whose runs shall end."""


def carry_out(
    connection: sqlite3.Connection,
    instructions: Iterable[Instruction],
    time: datetime,
    new_nodes: Callable[[str], NodeState] = lambda _: NodeState.IDLE,
) -> Changes:
    """Carry out instructions.

    Args:
        connection: the database.
        instructions: what was decided in this transaction.
        time: when.
        new_nodes: returns the state of nodes that are added to a cluster.
    """
    changes = Changes()
    for instruction in instructions:
        match instruction:
            case Start(uuid, _, nodes):
                start(connection, select_attempt(connection, uuid), nodes, time)
                changes.started.append(uuid)
            case Submit(uuid):
                submit(connection, select_attempt(connection, uuid))
                changes.started.append(uuid)
            case Requeue(uuid):
                attempt = select_attempt(connection, uuid)
                changes.stopped.append(ask_to_stop(connection, attempt, StopReason.REQUEUE, time))
            case Terminate(uuid):
                attempt = select_attempt(connection, uuid)
                changes.stopped.append(ask_to_stop(connection, attempt, StopReason.RESIZE, time))
            case Release(uuid):
                release(connection, uuid)
            case Withdraw(uuid, sweep, failures):
                attempt = select_attempt(connection, uuid)
                note = withdrawn(SweepId.parse(sweep), failures)
                changes.stopped.append(
                    ask_to_stop(connection, attempt, StopReason.FAILURES, time, note)
                )
            case QueueAgain():
                # The attempt's state says so already.
                pass
            case AddNodes() | RemoveNodes() | ChangeNodes():
                _change_nodes(connection, instruction, time, new_nodes)
            case _:
                assert_never(instruction)
    return changes


def _change_nodes(
    connection: sqlite3.Connection,
    instruction: AddNodes | RemoveNodes | ChangeNodes,
    time: datetime,
    new_nodes: Callable[[str], NodeState],
) -> None:
    cluster, numbers = instruction.cluster, instruction.numbers
    match instruction:
        case AddNodes():
            sql = "INSERT INTO nodes (uuid, state, since, cluster, number) VALUES (?, ?, ?, ?, ?)"
            state, since = new_nodes(cluster), stamp(time)
            rows: list[tuple[object, ...]] = [
                (str(uuid4()), state, since, cluster, number) for number in numbers
            ]
        case RemoveNodes():
            sql = "DELETE FROM nodes WHERE cluster = ? AND number = ?"
            rows = [(cluster, number) for number in numbers]
        case ChangeNodes():
            sql = "UPDATE nodes SET state = ?, since = ? WHERE cluster = ? AND number = ?"
            rows = [(instruction.state, stamp(time), cluster, number) for number in numbers]
    connection.executemany(sql, rows)
    connection.execute(
        "UPDATE clusters SET allocation_since = ? WHERE id = ?", (stamp(time), cluster)
    )


def record(
    connection: sqlite3.Connection,
    before: Attempt,
    after: Attempt,
    steps: Iterable[Step],
    time: datetime,
) -> None:
    """Record what has become of an attempt, and free the nodes that it does not hold any more.

    Args:
        connection: the database.
        before: the attempt as it is recorded.
        after: what it is now.
        steps: what happened in between, with the times of its supervisor.
        time: the time here, which its nodes are free from.
    """
    running = DatabaseView(connection).running(before.uuid)
    if running and not after.holds_nodes:
        by_itself = after.state is not ExecutionState.QUEUED
        freed = released(DatabaseView(connection), running, by_itself=by_itself)
        carry_out(connection, freed, time)
        connection.executemany(
            "UPDATE nodes SET attempt = NULL WHERE cluster = ? AND number = ?",
            [(str(before.cluster), number) for number in before.nodes],
        )
    save(connection, after)
    if after.sweep and after.outcome == ExecutionState.FAILED:
        count_failure(connection, after.sweep)
    for step in steps:
        insert_event(connection, before.uuid, *step)


def scale_of(wire: Mapping[str, Any]) -> ManualScale | AutoScale:
    """Return the scale in a cluster's wire form."""
    scale = wire["properties"]["scaleSettings"]
    if auto := scale.get("autoScale"):
        minimum, maximum = auto["minimumNodeCount"], auto["maximumNodeCount"]
        return AutoScale(minimum, maximum, auto.get("initialNodeCount", 0))
    manual = scale["manual"]
    option = manual.get("nodeDeallocationOption")
    return ManualScale(
        manual["targetNodeCount"], Deallocation(option) if option else Deallocation.REQUEUE
    )
