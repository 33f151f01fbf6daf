"""`bai get` and `bai diff` with many jobs in the state, on a terminal and into a file."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import BIN, Result, interleaved

import bai
from bai.compiler.resources.ids import Kind
from bai.runtime.jobs.records import End, ExecutionState
from bai.runtime.provider.attempt_rows import Demand, select_attempt, start
from bai.runtime.provider.row_mapping import now
from bai.runtime.provider.store import Store

FEW = 20
JOBS = (10_000, 100_000)
VERBS = (
    "get jobs",
    "get jobs > out",
    "get jobs -o name > out",
    "get jobs -o json > out",
    "diff spec.yaml > out",
)
SPEC = """apiVersion: bai/v1
kind: Experiment
metadata: {name: e}
spec:
  clusters: {c: {vmSize: S, scale: 1}}
  jobs:
    j0: &job
      nodeCount: 1
      mounts: {r: azureFile:r}
      logs: ${mounts.r}
      custom: {command: "true"}
"""


def results() -> Iterator[Result]:
    """Measure the CPU time of the commands, and as their peer the same with few jobs."""
    with TemporaryDirectory() as small:
        _fill(Path(small), FEW)
        for count in JOBS:
            with TemporaryDirectory() as large:
                _fill(Path(large), count)
                for verb in VERBS:
                    measures = (partial(_run, folder, verb) for folder in (large, small))
                    many, few = interleaved(3, *measures)
                    yield Result(f"bai {verb}, {count:,} jobs", many, few, "s of CPU")


def _run(folder: str, verb: str) -> float:
    # The exit code of a diff that shows something is 1.
    shell = f"{BIN / 'bai'} {verb} || test $? = 1"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        ["script", "-qec", shell, "/dev/null"], cwd=folder, stdout=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _fill(folder: Path, count: int) -> None:
    """Make a state with jobs that have ended, and a spec with the first of them."""
    (folder / "spec.yaml").write_text(SPEC)
    store = Store(folder / ".bai")
    (compilation,) = bai.loads(SPEC).compile()
    *others, job = compilation.resources
    for other in others:
        store.put(other.id, other.to_wire())
    cluster = job.id.sibling(Kind.CLUSTER, "c")
    demand = Demand(cluster, 1, 1)
    store.put(job.id, job.to_wire(), demand)
    with store.transaction() as connection:
        start(connection, select_attempt(connection, demand.uuid), (0,), now())
    store.attempts.finish(demand.uuid, 1, End(ExecutionState.SUCCEEDED, 0))
    with store.transaction() as connection:
        names = {
            "resources": {"id": str(job.id), "name": job.id.name},
            "attempts": {"uuid": demand.uuid, "job": str(job.id)},
        }
        for table, values in names.items():
            _multiply(connection, table, values, count)
    store.close()


def _multiply(
    connection: sqlite3.Connection, table: str, values: dict[str, str], count: int
) -> None:
    """Copy a row until there are `count`, each with a number behind those of its values."""
    columns = [row["name"] for row in connection.execute(f"PRAGMA table_info({table})")]
    copied = [f"{name} || copy" if name in values else name for name in columns]
    where = " AND ".join(f"{name} = ?" for name in values)
    connection.execute(
        "WITH RECURSIVE copies (copy) AS "
        "(SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy + 1 < ?) "
        f"INSERT INTO {table} ({', '.join(columns)}) "
        f"SELECT {', '.join(copied)} FROM {table}, copies WHERE {where}",
        (count, *values.values()),
    )
