"""The database under the simulator: it answers the queries of decisions as the plain model does."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from random import Random

import pytest
from simulating.handing_over import QueueingWorld, steps_of
from simulating.queries import check_queries
from simulating.runs import episode
from simulating.world import World

from bai.compiler.resources.sweep import Sweep, SweepId
from bai.runtime.jobs.progress import ended
from bai.runtime.jobs.records import End, ExecutionState, StopReason, requeued
from bai.runtime.provider.attempt_rows import ask_to_stop, select_attempt
from bai.runtime.provider.carry_out import carry_out, record
from bai.runtime.provider.cluster_view import DatabaseView
from bai.runtime.provider.row_mapping import stamp
from bai.runtime.provider.schema import SCHEMA
from bai.runtime.provider.sweep_rows import insert_sweep, is_held
from bai.runtime.scheduling.instructions import QueueAgain
from bai.runtime.scheduling.records import Ending

STOPS = {Ending.REQUEUE: StopReason.REQUEUE, Ending.TERMINATE: StopReason.CANCEL}

ENDS = {True: End(ExecutionState.FAILED, 1), False: End(ExecutionState.SUCCEEDED, 0)}


def time(clock):
    return datetime.fromtimestamp(clock, UTC)


class DatabaseState(DatabaseView):
    """The state of a simulated world in a database, changed as the provider changes it."""

    def __init__(self, connection):
        super().__init__(connection)
        self._connection = connection

    def put_sweep(self, sweep, concurrency, most_failures):
        settings = Sweep(SweepId.parse(sweep), concurrency, most_failures)
        insert_sweep(self._connection, settings)

    def put(self, queued, *, held=False):
        sweep = queued.sweep and SweepId.parse(queued.sweep)
        assert is_held(self._connection, sweep) == held
        self._connection.execute(
            "INSERT INTO attempts (rowid, uuid, job, cluster, node_count, process_count, priority, "
            "number, state, created, state_since, sweep, held) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, 1, 'queued', ?, ?, ?, ?)",
            (
                queued.order,
                queued.attempt,
                queued.job,
                queued.cluster,
                queued.nodes,
                queued.processes,
                queued.priority,
                stamp(time(0)),
                stamp(time(0)),
                queued.sweep,
                held,
            ),
        )

    def withdraw(self, name):
        attempt = select_attempt(self._connection, name)
        ask_to_stop(self._connection, attempt, StopReason.CANCEL, time(0))

    def ask_to_end(self, name, ending):
        attempt = select_attempt(self._connection, name)
        ask_to_stop(self._connection, attempt, STOPS[ending], time(0))

    def end(self, name, instructions, clock, *, failed=False):
        attempt = select_attempt(self._connection, name)
        again = any(isinstance(each, QueueAgain) for each in instructions)
        end = requeued() if again else ENDS[failed]
        after = ended(attempt, end, time(clock))
        record(self._connection, attempt, after, [], time(clock))

    def end_submitted(self, name, *, again, failed=False):
        attempt = select_attempt(self._connection, name)
        end = requeued() if again else ENDS[failed]
        record(self._connection, attempt, ended(attempt, end, time(0)), [], time(0))

    def carry_out(self, instructions, clock):
        carry_out(self._connection, instructions, time(clock), lambda _: "preparing")

    def change(self, cluster, numbers, state, clock):
        self._connection.executemany(
            "UPDATE nodes SET state = ?, since = ? WHERE cluster = ? AND number = ?",
            [(state, stamp(time(clock)), cluster, number) for number in numbers],
        )


@pytest.fixture
def database():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        connection.executescript(SCHEMA)
        yield connection


@pytest.mark.parametrize("seed", range(8))
def test_it_answers_as_the_model_does(database, seed):
    setting, steps = episode(seed)
    world = World(setting.slots, setting.sizes, state=DatabaseState(database))
    for step in steps:
        world.do(step)
        check_queries(world.state, world.model, world.clock)


@pytest.mark.parametrize("seed", range(4))
def test_what_was_handed_over_to_the_engine_s_queue_is_queued_no_more(database, seed):
    world = QueueingWorld(state=DatabaseState(database))
    for step in steps_of(seed):
        world.do(step)
        check_queries(world.state, world.model, world.clock)


@pytest.mark.parametrize(
    "query",
    [
        lambda view: view.heads(),
        lambda view: next(view.queue("c"), None),
        lambda view: next(view.nodes("c", "idle"), None),
        lambda view: next(view.nodes_outside("c", "idle", 0.0, 1.0), None),
        lambda view: view.processes(),
        lambda view: view.sweeps(),
        lambda view: next(view.held("s"), None),
        lambda view: view.active("s"),
        lambda view: next(view.unstarted("s"), None),
    ],
    ids=[
        "heads",
        "queue",
        "nodes",
        "nodes_outside",
        "processes",
        "sweeps",
        "held",
        "active",
        "unstarted",
    ],
)
def test_decisions_look_at_indexes_only(database, query):
    """A step must not take longer because many jobs wait or have ended."""
    asked = []
    database.set_trace_callback(asked.append)
    query(DatabaseView(database))
    database.set_trace_callback(None)
    plans = [
        row["detail"] for sql in asked for row in database.execute(f"EXPLAIN QUERY PLAN {sql}")
    ]
    scans = [plan for plan in plans if plan.startswith("SCAN") and "found" not in plan]
    assert scans == []
    assert not any("TEMP B-TREE" in plan for plan in plans), plans


def test_nodes_of_an_attempt_are_those_that_it_holds(database):
    """Both are recorded, for quick answers, and never differ."""
    random = Random(7)
    setting, steps = episode(random.randrange(100))
    world = World(setting.slots, setting.sizes, state=DatabaseState(database))
    for step in steps:
        world.do(step)
        held = {
            (row["cluster"], number): row["uuid"]
            for row in database.execute("SELECT uuid, cluster, nodes FROM attempts")
            for number in json.loads(row["nodes"])
        }
        rows = database.execute("SELECT * FROM nodes WHERE attempt IS NOT NULL")
        assert {(row["cluster"], row["number"]): row["attempt"] for row in rows} == held
