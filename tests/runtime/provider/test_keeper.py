"""Keeper steps over the local engine, beside other commands that use the same state."""

import multiprocessing
import os
import select
import subprocess

import pytest

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.engines.base import Condition
from bai.runtime.engines.local.engine import LocalEngine
from bai.runtime.engines.local.settings import EngineSettings
from bai.runtime.jobs.documents import run_file
from bai.runtime.jobs.journal import FileJournal, claim
from bai.runtime.jobs.records import End, ExecutionState, Phase, StopReason
from bai.runtime.jobs.submitted import Submitted
from bai.runtime.provider.attempt_rows import Demand
from bai.runtime.provider.embedded import EmbeddedProvider
from bai.runtime.provider.keeper import LAUNCHES, Keeper
from bai.runtime.provider.store import Store

WORKSPACE = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")
CLUSTER = WORKSPACE.sibling(Kind.CLUSTER, "c")


def job(name):
    return WORKSPACE.sibling(Kind.JOB, name, "e")


class Place:
    """A state folder whose engine starts no process."""

    def __init__(self, folder):
        self.folder = folder
        self.store = Store(folder)
        self.engine = LocalEngine(folder, EngineSettings(slots=4))
        self.keeper = Keeper(self.store, self.engine)
        self.store.put(WORKSPACE, {})
        self.store.put(WORKSPACE.sibling(Kind.EXPERIMENT, "e"), {})
        self.scale(2)
        self.supervisors = []
        """For each supervisor that lives, a descriptor that has its attempt's lock."""

    def start(self, _, *, pass_fds, **__):
        """Stand in for the start of a supervisor, which inherits the lock."""
        self.supervisors += map(os.dup, pass_fds)

    def die(self):
        """End the processes that supervise."""
        while self.supervisors:
            os.close(self.supervisors.pop())

    def close(self):
        self.die()
        self.store.close()

    def scale(self, nodes, option="requeue"):
        manual = {"targetNodeCount": nodes, "nodeDeallocationOption": option}
        stopped = self.store.put(CLUSTER, {"properties": {"scaleSettings": {"manual": manual}}})
        self.keeper.stop(stopped)

    def queue(self, name, nodes=1):
        demand = Demand(CLUSTER, nodes, nodes)
        self.engine.accept(demand.uuid, Submitted({}, {}))
        wire = {"properties": {"nodeCount": nodes, "cluster": {"id": str(CLUSTER)}}}
        self.store.put(job(name), wire, demand)
        return demand.uuid

    def attempt(self, uuid):
        return self.store.attempts.get(uuid)

    def journal(self, uuid):
        """Claim the newest run of an attempt, as its supervisor would, and return its journal."""
        folder, run = self.folder / "jobs" / uuid, self.attempt(uuid).run
        assert claim(folder, run)
        return FileJournal(folder, run)


@pytest.fixture
def place(tmp_path, monkeypatch):
    found = Place(tmp_path / "state")
    monkeypatch.setattr(subprocess, "run", found.start)
    yield found
    found.close()


def test_what_a_supervisor_reports_is_imported_once(place):
    uuid = place.queue("j")
    place.keeper.schedule()
    journal = place.journal(uuid)
    journal.claimed(str(os.getpid()))
    journal.phase(Phase.RUNNING)
    seen = place.attempt(uuid)
    records, read = place.engine.journal(seen)
    place.keeper.step()
    assert place.attempt(uuid).phase is Phase.RUNNING
    # Another command has read the same records, and comes later.
    assert not place.store.attempts.add_records(seen, records, read)
    journal.end(End(ExecutionState.SUCCEEDED, 0))
    place.keeper.step()
    place.keeper.step()
    kinds = [(event.kind, event.message) for event in place.store.attempts.events(uuid)]
    states = [("state", "queued"), ("state", "running"), ("phase", "running")]
    assert kinds == [*states, ("state", "succeeded")]
    assert place.store.node_states(CLUSTER)["idle"] == 2


def test_the_next_job_starts_when_the_nodes_are_free(place):
    first, second, third = place.queue("first", 2), place.queue("second"), place.queue("third")
    place.keeper.step()
    states = [place.attempt(uuid).state.value for uuid in (first, second, third)]
    assert states == ["running", "queued", "queued"]
    place.journal(first).end(End(ExecutionState.SUCCEEDED, 0))
    place.keeper.step()
    states = [place.attempt(uuid).state.value for uuid in (first, second, third)]
    assert states == ["succeeded", "running", "running"]
    assert [place.attempt(uuid).nodes for uuid in (second, third)] == [(0,), (1,)]


def test_a_supervisor_that_is_gone_without_a_word_is_lost(place):
    uuid = place.queue("j")
    place.keeper.step()
    place.journal(uuid)
    place.die()
    place.keeper.step()
    assert place.attempt(uuid).errors[0].code == "JobSupervisorLost"
    assert not (place.folder / "jobs" / uuid / "submitted.json").exists()


def test_a_job_whose_nodes_go_is_queued_again_with_its_age(place):
    uuid = place.queue("j", 2)
    place.keeper.step()
    place.scale(1)
    assert place.attempt(uuid).state is ExecutionState.TERMINATING
    later = place.queue("later")
    journal = place.journal(uuid)
    assert journal.stop_reason() is StopReason.REQUEUE
    journal.end(End(ExecutionState.QUEUED))
    place.keeper.step()
    found = place.attempt(uuid)
    assert (found.state, found.run, found.started) == (ExecutionState.QUEUED, 1, None)
    assert place.store.node_states(CLUSTER)["idle"] == 1
    # It comes first, and its cluster is too small for it now.
    assert place.attempt(later).state is ExecutionState.QUEUED
    place.scale(2)
    place.keeper.step()
    assert (place.attempt(uuid).run, place.attempt(uuid).nodes) == (2, (0, 1))


def test_a_lost_run_that_was_to_be_queued_again_is(place):
    uuid = place.queue("j", 2)
    place.keeper.step()
    place.journal(uuid)
    place.die()
    place.scale(0)
    place.keeper.step()
    assert place.attempt(uuid).state is ExecutionState.QUEUED


def test_a_job_that_is_cancelled_while_it_is_queued_again_is_cancelled(place):
    uuid = place.queue("j", 2)
    place.keeper.step()
    journal = place.journal(uuid)
    place.scale(0)
    place.store.attempts.ask_to_stop(uuid, StopReason.CANCEL)
    journal.end(End(ExecutionState.QUEUED))
    place.keeper.step()
    assert place.attempt(uuid).outcome == "cancelled"


@pytest.mark.parametrize(
    ("option", "reason"), [("terminate", StopReason.RESIZE), ("waitforjobcompletion", None)]
)
def test_what_happens_to_jobs_on_nodes_that_go_is_the_user_s_word(place, option, reason):
    uuid = place.queue("j", 2)
    place.keeper.step()
    journal = place.journal(uuid)
    place.scale(1, option)
    assert journal.stop_reason() is reason
    assert place.store.node_states(CLUSTER)["leaving"] == 1
    journal.end(End(ExecutionState.SUCCEEDED, 0))
    place.keeper.step()
    states = place.store.node_states(CLUSTER)
    assert (states["idle"], states["leaving"]) == (1, 0)


def test_a_step_that_has_nothing_to_do_writes_nothing(place):
    place.queue("j", 2)
    place.keeper.step()
    place.queue("waits")
    place.keeper.step()
    changes = place.store._connection.total_changes
    place.keeper.step()
    assert place.store._connection.total_changes == changes


def test_a_job_that_is_deleted_while_a_command_looks(place):
    uuid = place.queue("j")
    place.keeper.step()
    seen = place.attempt(uuid)
    place.engine.remove(uuid)
    assert place.engine.observe([seen])[uuid].condition is Condition.NOT_STARTED
    assert list((place.folder / "jobs").iterdir()) == []


def launch_often(folder):
    subprocess.run = lambda *_, **__: None
    store = Store(folder)
    engine = LocalEngine(folder, EngineSettings(slots=2))
    (attempt,) = store.attempts.running()
    for _ in range(300):
        engine.launch(engine.prepare(attempt, {"properties": {}}, None))


@pytest.mark.slow
def test_commands_that_launch_the_same_run(place):
    uuid = place.queue("j")
    place.keeper.step()
    place.die()
    context = multiprocessing.get_context("fork")
    commands = [context.Process(target=launch_often, args=(place.folder,)) for _ in range(3)]
    for command in commands:
        command.start()
    for command in commands:
        command.join()
    assert [command.exitcode for command in commands] == [0, 0, 0]
    names = sorted(path.name for path in (place.folder / "jobs" / uuid).iterdir())
    assert names == ["lock", "run-1.json", "submitted.json", "supervisor.log"]


@pytest.mark.slow
def test_a_supervisor_that_can_not_start(tmp_path, monkeypatch):
    """Another one is tried a few times; then the job has failed, with the reason."""
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho starting >&2\necho no libpython here >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(broken))
    place = Place(tmp_path / "state")
    uuid = place.queue("j")
    place.keeper.step()
    while not place.attempt(uuid).state.ended:
        select.select([], [], [], 0.02)
        place.keeper.step()
    (error,) = place.attempt(uuid).errors
    assert error.code == "JobLaunchFailed"
    assert error.message == "The supervisor of the job does not start: no libpython here"
    log = place.folder / "jobs" / uuid / "supervisor.log"
    assert log.read_text().count("starting") == LAUNCHES
    place.close()


def test_the_waits_of_a_list_are_those_of_each_job(place):
    uuids = [place.queue(name, nodes) for name, nodes in (("a", 2), ("b", 1), ("c", 2), ("d", 1))]
    place.keeper.step()
    provider = EmbeddedProvider(place.store, place.engine)
    waits = provider.waits()
    assert {uuid: str(wait) for uuid, wait in waits.items()} == {
        uuid: str(provider.waiting(uuid)) for uuid in uuids[1:]
    }
    # That nothing can be written now is told of what runs, not of turns.
    journal = place.journal(uuids[0])
    journal.end(End(ExecutionState.SUCCEEDED, 0))
    provider.stale = "the disk is full"
    words = [provider.waits()[uuid].what for uuid in uuids[1:3]]
    assert words == [
        "space on the disk: it is full, and can't take that a ended",
        "its turn on cluster c, after b",
    ]


def test_a_supervisor_that_is_killed_before_it_says_anything_gets_another(place):
    uuid = place.queue("j")
    place.keeper.step()
    for _ in range(2 * LAUNCHES):
        place.die()
        place.keeper.step()
    assert place.attempt(uuid).state is ExecutionState.RUNNING
    place.journal(uuid).claimed("1")
    place.keeper.step()
    assert place.attempt(uuid).launches == 0


def test_a_supervisor_that_starts_slowly_is_not_replaced(place):
    uuid = place.queue("j")
    place.keeper.step()
    os.utime(run_file(place.folder / "jobs" / uuid, 1), (0, 0))
    place.keeper.step()
    assert place.engine.observe([place.attempt(uuid)])[uuid].condition is Condition.ALIVE
    assert len(place.supervisors) == 1


def test_a_supervisor_that_is_killed_before_it_claims_is_replaced_by_the_next_step(place):
    place.queue("j")
    place.keeper.step()
    place.die()
    place.keeper.step()
    assert len(place.supervisors) == 1
