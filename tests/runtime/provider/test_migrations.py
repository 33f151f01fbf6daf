"""Databases of older formats: they are kept, and become the present one."""

import sqlite3
from contextlib import closing
from uuid import UUID

import pytest

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.errors import StateError
from bai.runtime.jobs.records import ExecutionState
from bai.runtime.provider.node_rows import cluster_uuid
from bai.runtime.provider.schema import VERSION
from bai.runtime.provider.store import Store

FORMAT_1 = """
CREATE TABLE resources (
    id TEXT PRIMARY KEY COLLATE NOCASE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    parent TEXT COLLATE NOCASE REFERENCES resources (id) ON DELETE CASCADE,
    wire TEXT NOT NULL,
    created TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX resources_by_kind ON resources (kind, created);
CREATE INDEX resources_by_parent ON resources (parent);
CREATE TABLE attempts (
    uuid TEXT PRIMARY KEY,
    job TEXT NOT NULL COLLATE NOCASE REFERENCES resources (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    cluster TEXT COLLATE NOCASE,
    node_count INTEGER NOT NULL,
    process_count INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    state TEXT NOT NULL,
    phase TEXT,
    created TEXT NOT NULL,
    state_since TEXT NOT NULL,
    started TEXT,
    ended TEXT,
    exit_code INTEGER,
    errors TEXT NOT NULL DEFAULT '[]',
    supervisor INTEGER,
    nodes TEXT NOT NULL DEFAULT '[]',
    cancelled INTEGER NOT NULL DEFAULT 0,
    UNIQUE (job, number)
);
CREATE INDEX attempts_alive ON attempts (state) WHERE ended IS NULL;
CREATE TABLE events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    attempt TEXT NOT NULL REFERENCES attempts (uuid) ON DELETE CASCADE,
    time TEXT NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    data TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX events_by_attempt ON events (attempt, sequence);
PRAGMA user_version = 1;
"""
"""The tables as the first version made them."""
WORKSPACE = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")
CLUSTER = WORKSPACE.sibling(Kind.CLUSTER, "c")
JOB = WORKSPACE.sibling(Kind.JOB, "j", "e")
TIME = "2026-01-02T03:04:05.678901+00:00"
SCALE = '{"properties": {"scaleSettings": {"manual": {"targetNodeCount": 2}}}}'


@pytest.fixture
def old(tmp_path):
    """A state folder of format 1, with a job that has ended."""
    with closing(sqlite3.connect(tmp_path / "state.db")) as database:
        database.executescript(FORMAT_1)
        for id, wire in ((WORKSPACE, "{}"), (CLUSTER, SCALE), (JOB, "{}")):
            parent = id.parent and str(id.parent)
            if id is JOB:
                parent = str(WORKSPACE)
            row = (str(id), id.kind, id.name, parent, wire, TIME)
            database.execute("INSERT INTO resources VALUES (?, ?, ?, ?, ?, ?)", row)
        database.execute(
            "INSERT INTO attempts (uuid, job, number, cluster, node_count, process_count, "
            "priority, state, created, state_since, started, ended, exit_code, supervisor) "
            "VALUES ('u', ?, 1, ?, 1, 1, 1, 'failed', ?, ?, ?, ?, 3, 4711)",
            (str(JOB), str(CLUSTER), TIME, TIME, TIME, TIME),
        )
        database.commit()
    return tmp_path


def tables(database):
    """Return all tables and indexes, with their columns whatever their order."""
    names = database.execute("SELECT type, name FROM sqlite_schema ORDER BY name").fetchall()
    return {
        (kind, name): sorted(
            row[1:] for row in database.execute(f"PRAGMA {kind}_xinfo('{name}')").fetchall()
        )
        for kind, name in names
    }


def test_an_old_database_becomes_what_a_new_one_is(old, tmp_path):
    Store(old).close()
    new = Store(tmp_path / "new")
    new.put(WORKSPACE, {})
    new.close()
    with (
        closing(sqlite3.connect(old / "state.db")) as migrated,
        closing(sqlite3.connect(tmp_path / "new/state.db")) as made,
    ):
        found, wanted = tables(migrated), tables(made)
        assert found.keys() == wanted.keys()
        # A column that was added later needs a default, and stands behind the others.
        for name, columns in wanted.items():
            assert {each[0] for each in found[name]} == {each[0] for each in columns}, name
        assert migrated.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert migrated.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_what_it_holds_is_there_again(old):
    store = Store(old)
    found = store.get(JOB)
    assert found.attempt.state is ExecutionState.FAILED
    assert (found.attempt.exit_code, found.attempt.run) == (3, 1)
    assert store.node_states(CLUSTER)["idle"] == 2
    assert UUID(cluster_uuid(store, CLUSTER)).version == 4
    assert found.attempt.sweep is None
    assert store.sweeps() == []
    store.put(
        WORKSPACE.sibling(Kind.CLUSTER, "another"),
        {"properties": {"scaleSettings": {"manual": {"targetNodeCount": 1}}}},
    )
    store.close()


def test_the_old_database_is_kept_as_it_was(old):
    before = sqlite3.connect(old / "state.db")
    dump = list(before.iterdump())
    before.close()
    Store(old).close()
    with closing(sqlite3.connect(old / "state.db.v1")) as backup:
        assert list(backup.iterdump()) == dump
    Store(old).close()
    assert sorted(path.name for path in old.glob("*.v*")) == ["state.db.v1"]


def test_jobs_of_an_older_bai_that_run_are_not_taken_over(old):
    with closing(sqlite3.connect(old / "state.db")) as database:
        database.execute("UPDATE attempts SET state = 'running', ended = NULL")
        database.commit()
    with pytest.raises(StateError, match="jobs have not ended that an older bai started in"):
        Store(old)
    with closing(sqlite3.connect(old / "state.db")) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (1,)
