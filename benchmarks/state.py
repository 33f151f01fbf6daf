"""`bai get` and `bai diff` with 10,000 jobs in the state."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import BIN, Result, interleaved, seconds

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.jobs.records import End, ExecutionState
from bai.runtime.provider.attempts import Demand
from bai.runtime.provider.store import Store

JOBS = 10_000
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
COMPILED_JOB = {
    "properties": {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "x",
        "customToolkitSettings": {"commandLine": "true"},
    }
}


def results() -> Iterator[Result]:
    """Measure both commands, and the same with one job as their peer."""
    with TemporaryDirectory() as large, TemporaryDirectory() as small:
        _fill(Path(large), JOBS)
        _fill(Path(small), 1)
        for verb in ("get jobs", "diff spec.yaml"):

            def run(folder: str, verb: str = verb) -> float:
                # The exit code of a diff that shows something is 1.
                shell = ["sh", "-c", f"{BIN / 'bai'} {verb} > out || test $? = 1"]
                return seconds(shell, Path(folder), os.environ)

            many, few = interleaved(3, lambda: run(large), lambda: run(small))
            yield Result(f"bai {verb}, {JOBS:,} jobs against 1", many, few, "s")


def _fill(folder: Path, count: int) -> None:
    (folder / "spec.yaml").write_text(SPEC)
    store = Store(folder / ".bai")
    workspace = ResourceId("0" * 8, "local", "local", Kind.WORKSPACE, "local")
    cluster = workspace.sibling(Kind.CLUSTER, "c")
    job = COMPILED_JOB["properties"] | {"cluster": {"id": str(cluster)}}
    scale = {"manual": {"targetNodeCount": 1}}
    store.put(workspace, {"location": "local"})
    store.put(workspace.sibling(Kind.EXPERIMENT, "e"), {})
    store.put(cluster, {"properties": {"vmSize": "S", "scaleSettings": scale}})
    for number in range(count):
        id = workspace.sibling(Kind.JOB, f"j{number}", "e")
        attempt = store.put(id, {"properties": job}, Demand(cluster, 1, 1))
        assert attempt is not None
        store.attempts.finish(attempt.uuid, End(ExecutionState.SUCCEEDED, 0))
    store.close()
