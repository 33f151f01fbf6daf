"""The local engine beside other commands that use the same state."""

import multiprocessing
import os
import select
import subprocess
import time

import pytest

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.engines.local.engine import LAUNCHES, LocalEngine
from bai.runtime.engines.local.settings import EngineSettings
from bai.runtime.jobs.records import End, ExecutionState
from bai.runtime.provider.attempts import Demand
from bai.runtime.provider.store import Store

pytestmark = pytest.mark.slow  # Commands run in processes of their own.
WORKSPACE = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")
CLUSTER = WORKSPACE.sibling(Kind.CLUSTER, "c")
JOB = WORKSPACE.sibling(Kind.JOB, "j", "e")


@pytest.fixture
def folder(tmp_path):
    """A state folder with a queued job."""
    store = Store(tmp_path / "state")
    for id in (WORKSPACE, WORKSPACE.sibling(Kind.EXPERIMENT, "e"), CLUSTER):
        store.put(id, {})
    store.put(JOB, {"properties": {"cluster": {"id": str(CLUSTER)}}}, Demand(CLUSTER, 1, 1))
    store.close()
    return tmp_path / "state"


def test_a_job_that_is_deleted_while_a_command_begins(folder, monkeypatch):
    store = Store(folder)
    looked = store.attempts.alive()
    store.attempts.finish(looked[0].uuid, End(ExecutionState.FAILED, None))
    store.delete(JOB)
    # It lived when the command looked.
    monkeypatch.setattr(store.attempts, "alive", lambda: looked)
    LocalEngine(store, EngineSettings(slots=2)).reconcile()
    assert list((folder / "jobs").iterdir()) == []
    store.close()


def launch_often(folder):
    store = Store(folder)
    engine = LocalEngine(store, EngineSettings(slots=2))
    for _ in range(300):
        engine.launch(store.attempts.alive()[0])


def test_commands_that_find_the_same_job_without_supervisor(folder, monkeypatch):
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    context = multiprocessing.get_context("fork")
    commands = [context.Process(target=launch_often, args=(folder,)) for _ in range(3)]
    for command in commands:
        command.start()
    for command in commands:
        command.join()
    assert [command.exitcode for command in commands] == [0, 0, 0]
    (attempt,) = (folder / "jobs").iterdir()
    assert sorted(path.name for path in attempt.iterdir()) == [
        "end.json",
        "engine.json",
        "supervisor.log",
    ]


def test_a_supervisor_that_can_not_start(folder, tmp_path, monkeypatch):
    """Another one is tried a few times; then the job has failed, with the reason."""
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho starting >&2\necho no libpython here >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(broken))
    store = Store(folder)
    engine = LocalEngine(store, EngineSettings(slots=2))
    (attempt,) = store.attempts.alive()
    place = folder / "jobs" / attempt.uuid
    for said in range(LAUNCHES):
        assert store.attempts.alive()
        engine.reconcile()
        wait_for_lines(place / "supervisor.log", 2 * (said + 1))
        engine.reconcile()
        os.utime(place / "engine.json", (0, 0))
    engine.reconcile()
    (error,) = store.attempts.get(attempt.uuid).errors
    assert error.code == "JobLaunchFailed"
    assert error.message == "The supervisor of the job does not start: no libpython here"
    assert (place / "supervisor.log").read_text().count("starting") == LAUNCHES
    store.close()


def wait_for_lines(path, count):
    deadline = time.monotonic() + 60
    while path.read_text().count("\n") < count:
        assert time.monotonic() < deadline
        select.select([], [], [], 0.01)
