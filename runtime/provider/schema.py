"""The tables of a state folder's database, and how older ones become these."""

from __future__ import annotations

from typing import Final

VERSION: Final = 6

SCHEMA: Final = """
CREATE TABLE resources (
    id TEXT PRIMARY KEY COLLATE NOCASE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    parent TEXT COLLATE NOCASE REFERENCES resources (id) ON DELETE CASCADE,
    wire TEXT NOT NULL,
    created TEXT NOT NULL,
    updated TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    deleting INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX resources_by_kind ON resources (kind, created, id);
CREATE INDEX resources_by_name ON resources (kind, name COLLATE NOCASE);
CREATE INDEX resources_by_parent ON resources (parent);
CREATE INDEX resources_deleting ON resources (id) WHERE deleting = 1;
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
    nodes TEXT NOT NULL DEFAULT '[]',
    run INTEGER NOT NULL DEFAULT 0,
    launches INTEGER NOT NULL DEFAULT 0,
    handle TEXT,
    journal_read INTEGER NOT NULL DEFAULT 0,
    stop TEXT,
    sweep TEXT COLLATE NOCASE,
    held INTEGER NOT NULL DEFAULT 0,
    UNIQUE (job, number)
);
CREATE INDEX attempts_alive ON attempts (state) WHERE ended IS NULL;
CREATE INDEX attempts_queued ON attempts (cluster, priority DESC)
    WHERE state = 'queued' AND launches = 0 AND held = 0;
CREATE INDEX attempts_on_cluster ON attempts (cluster) WHERE ended IS NULL;
CREATE INDEX attempts_of_sweep ON attempts (sweep, held)
    WHERE ended IS NULL AND sweep IS NOT NULL;
CREATE INDEX attempts_by_sweep ON attempts (sweep) WHERE sweep IS NOT NULL;
CREATE TABLE events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    attempt TEXT NOT NULL REFERENCES attempts (uuid) ON DELETE CASCADE,
    time TEXT NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    data TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX events_by_attempt ON events (attempt, sequence);
CREATE TABLE clusters (
    id TEXT PRIMARY KEY COLLATE NOCASE REFERENCES resources (id) ON DELETE CASCADE,
    allocation_since TEXT NOT NULL,
    uuid TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE nodes (
    cluster TEXT NOT NULL COLLATE NOCASE REFERENCES clusters (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    since TEXT NOT NULL,
    attempt TEXT,
    uuid TEXT NOT NULL,
    run INTEGER NOT NULL DEFAULT 0,
    errors TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (cluster, number)
) WITHOUT ROWID;
CREATE INDEX nodes_by_state ON nodes (cluster, state, number);
CREATE INDEX nodes_by_time ON nodes (cluster, state, since);
CREATE INDEX nodes_preparing ON nodes (cluster, number) WHERE state = 'preparing';
CREATE TABLE sweeps (
    id TEXT PRIMARY KEY COLLATE NOCASE,
    experiment TEXT NOT NULL COLLATE NOCASE REFERENCES resources (id) ON DELETE CASCADE,
    settings TEXT NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX sweeps_of_experiment ON sweeps (experiment);
CREATE TABLE reports (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    attempt TEXT NOT NULL REFERENCES attempts (uuid) ON DELETE CASCADE,
    time TEXT NOT NULL,
    step INTEGER NOT NULL,
    value REAL,
    best REAL
);
CREATE INDEX reports_by_step ON reports (attempt, step, sequence, best);
"""

_FROM_1: Final = """
DROP INDEX resources_by_kind;
ALTER TABLE resources ADD COLUMN updated TEXT NOT NULL DEFAULT '';
ALTER TABLE resources ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE resources ADD COLUMN deleting INTEGER NOT NULL DEFAULT 0;
UPDATE resources SET updated = created;
CREATE INDEX resources_by_kind ON resources (kind, created, id);
CREATE INDEX resources_by_name ON resources (kind, name COLLATE NOCASE);
CREATE INDEX resources_deleting ON resources (id) WHERE deleting = 1;
ALTER TABLE attempts DROP COLUMN supervisor;
ALTER TABLE attempts DROP COLUMN cancelled;
ALTER TABLE attempts ADD COLUMN run INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN launches INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN handle TEXT;
ALTER TABLE attempts ADD COLUMN journal_read INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN stop TEXT;
UPDATE attempts SET run = 1 WHERE started IS NOT NULL;
CREATE INDEX attempts_queued ON attempts (cluster, priority DESC) WHERE state = 'queued';
CREATE INDEX attempts_on_cluster ON attempts (cluster) WHERE ended IS NULL;
CREATE TABLE clusters (
    id TEXT PRIMARY KEY COLLATE NOCASE REFERENCES resources (id) ON DELETE CASCADE,
    allocation_since TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE nodes (
    cluster TEXT NOT NULL COLLATE NOCASE REFERENCES clusters (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    since TEXT NOT NULL,
    attempt TEXT,
    PRIMARY KEY (cluster, number)
) WITHOUT ROWID;
CREATE INDEX nodes_by_state ON nodes (cluster, state, number);
CREATE INDEX nodes_by_time ON nodes (cluster, state, since);
INSERT INTO clusters (id, allocation_since) SELECT id, created FROM resources
    WHERE kind = 'clusters';
INSERT INTO nodes (cluster, number, state, since)
    WITH RECURSIVE found (id, since, number, size) AS (
        SELECT id, created, 0, coalesce(
            json_extract(wire, '$.properties.scaleSettings.manual.targetNodeCount'),
            json_extract(wire, '$.properties.scaleSettings.autoScale.minimumNodeCount')
        ) FROM resources WHERE kind = 'clusters'
        UNION ALL SELECT id, since, number + 1, size FROM found WHERE number < size
    ) SELECT id, number, 'idle', since FROM found WHERE number < size;
"""

_FROM_2: Final = """
UPDATE attempts SET launches = 0 WHERE state = 'queued';
DROP INDEX attempts_queued;
CREATE INDEX attempts_queued ON attempts (cluster, priority DESC)
    WHERE state = 'queued' AND launches = 0;
"""

_FROM_3: Final = """
ALTER TABLE clusters ADD COLUMN uuid TEXT NOT NULL DEFAULT '';
UPDATE clusters SET uuid = lower(
    hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
    || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
);
ALTER TABLE nodes ADD COLUMN uuid TEXT NOT NULL DEFAULT '';
ALTER TABLE nodes ADD COLUMN run INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nodes ADD COLUMN errors TEXT NOT NULL DEFAULT '[]';
CREATE INDEX nodes_preparing ON nodes (cluster, number) WHERE state = 'preparing';
"""

_FROM_4: Final = """
ALTER TABLE attempts ADD COLUMN sweep TEXT COLLATE NOCASE;
ALTER TABLE attempts ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
DROP INDEX attempts_queued;
CREATE INDEX attempts_queued ON attempts (cluster, priority DESC)
    WHERE state = 'queued' AND launches = 0 AND held = 0;
CREATE INDEX attempts_of_sweep ON attempts (sweep, held)
    WHERE ended IS NULL AND sweep IS NOT NULL;
CREATE INDEX attempts_by_sweep ON attempts (sweep) WHERE sweep IS NOT NULL;
CREATE TABLE sweeps (
    id TEXT PRIMARY KEY COLLATE NOCASE,
    experiment TEXT NOT NULL COLLATE NOCASE REFERENCES resources (id) ON DELETE CASCADE,
    settings TEXT NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX sweeps_of_experiment ON sweeps (experiment);
"""

_FROM_5: Final = """
CREATE TABLE reports (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    attempt TEXT NOT NULL REFERENCES attempts (uuid) ON DELETE CASCADE,
    time TEXT NOT NULL,
    step INTEGER NOT NULL,
    value REAL,
    best REAL
);
CREATE INDEX reports_by_step ON reports (attempt, step, sequence, best);
"""

MIGRATIONS: Final = {1: _FROM_1, 2: _FROM_2, 3: _FROM_3, 4: _FROM_4, 5: _FROM_5}
"""Version -> the statements that make the next one of it; never changed again."""
