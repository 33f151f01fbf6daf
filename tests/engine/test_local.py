"""The local engine beside other commands that use the same state."""

import multiprocessing
import subprocess

import pytest

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.context import EngineSettings
from bai.runtime.engines.local import LocalEngine
from bai.runtime.provider.live import ExecutionState
from bai.runtime.provider.store import Demand, Store

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
    looked = store.live_attempts()
    store.finish(looked[0].uuid, ExecutionState.FAILED, None)
    store.delete(JOB)
    # It lived when the command looked.
    monkeypatch.setattr(store, "live_attempts", lambda: looked)
    LocalEngine(store, EngineSettings(slots=2)).reconcile()
    assert list((folder / "jobs").iterdir()) == []
    store.close()


def launch_often(folder):
    store = Store(folder)
    engine = LocalEngine(store, EngineSettings(slots=2))
    for _ in range(300):
        engine.launch(store.live_attempts()[0])


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
    assert sorted(path.name for path in attempt.iterdir()) == ["engine.json", "supervisor.log"]
