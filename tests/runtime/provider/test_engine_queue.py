"""Keeper steps over an engine with a queue of its own."""

import os
import subprocess

import pytest

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.runtime.engines.base import Condition, Features, Report
from bai.runtime.engines.local.engine import LocalEngine
from bai.runtime.engines.local.settings import EngineSettings
from bai.runtime.errors import LaunchError
from bai.runtime.jobs.journal import FileJournal, claim
from bai.runtime.jobs.records import End, ExecutionState, StopReason, requeued
from bai.runtime.jobs.run_spec import run_file
from bai.runtime.jobs.submitted import Submitted
from bai.runtime.provider.attempt_rows import Demand
from bai.runtime.provider.embedded import EmbeddedProvider
from bai.runtime.provider.store import Store

WORKSPACE = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")
CLUSTER = WORKSPACE.sibling(Kind.CLUSTER, "c")
OTHER = WORKSPACE.sibling(Kind.CLUSTER, "d")
SCALE = {"properties": {"scaleSettings": {"manual": {"targetNodeCount": 1}}}}


class QueueEngine(LocalEngine):
    """Notes what it is asked; a test says where each run is."""

    def __init__(self, folder):
        super().__init__(folder, EngineSettings(slots=1))
        self.features = Features(has_queue=True)
        self.setup_tasks = None
        self.launched, self.stopped, self.reports = [], [], {}
        self.is_down = False

    def launch(self, submission):
        if self.is_down:
            raise LaunchError("can't reach the queue")
        super().launch(submission)
        self.launched.append((submission.spec.uuid, submission.spec.run))

    def stop(self, attempt):
        super().stop(attempt)
        self.stopped.append(attempt.uuid)

    def observe(self, attempts):
        return {each.uuid: self.reports.get(each.uuid, WAITING) for each in attempts}


WAITING, ALIVE = Report(Condition.WAITING), Report(Condition.ALIVE)
NOWHERE = Report(Condition.NOT_STARTED, "it was never there")


class Place:
    """A state folder whose engine starts no process."""

    def __init__(self, folder):
        self.folder = folder
        self.store = Store(folder)
        self.engine = QueueEngine(folder)
        self.provider = EmbeddedProvider(self.store, self.engine)
        self.store.put(WORKSPACE, {})
        self.store.put(WORKSPACE.sibling(Kind.EXPERIMENT, "e"), {})
        for cluster in (CLUSTER, OTHER):
            self.store.put(cluster, SCALE, new_nodes=None)

    def queue(self, name, cluster=CLUSTER, priority="normal"):
        """Put a job of three nodes, more than any cluster has."""
        demand = Demand(cluster, 3, 3, priority)
        self.engine.accept(demand.uuid, Submitted({}, {}))
        wire = {"properties": {"nodeCount": 3, "cluster": {"id": str(cluster)}}}
        self.store.put(WORKSPACE.sibling(Kind.JOB, name, "e"), wire, demand)
        return demand.uuid

    def attempt(self, uuid):
        return self.store.attempts.get(uuid)

    def begin(self, uuid):
        """Claim the newest run of an attempt, as its supervisor would, and return its journal."""
        folder, run = self.folder / "jobs" / uuid, self.attempt(uuid).run
        assert claim(folder, run)
        journal = FileJournal(folder, run)
        journal.claimed(str(os.getpid()), ["a", "b", "c"])
        self.engine.reports[uuid] = ALIVE
        return journal


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    found = Place(tmp_path / "state")
    yield found
    found.store.close()


def test_each_attempt_is_handed_over_once_by_priority_and_age(place):
    first, low = place.queue("first"), place.queue("low", priority="low")
    high, last = place.queue("high", OTHER, "high"), place.queue("last", OTHER)
    place.provider.keep()
    place.provider.keep()
    assert place.engine.launched == [(each, 1) for each in (high, first, last, low)]
    attempts = [place.attempt(each) for each in (first, low, high, last)]
    assert {each.state for each in attempts} == {ExecutionState.QUEUED}
    assert {each.nodes for each in attempts} == {()}


def test_it_runs_when_its_journal_says_so(place):
    uuid = place.queue("j")
    place.provider.keep()
    place.begin(uuid)
    # A reader sees it before anybody has imported it.
    assert place.attempt(uuid).state is ExecutionState.QUEUED
    seen = place.provider.attempt(uuid)
    place.provider.keep()
    found = place.attempt(uuid)
    for attempt in (seen, found):
        assert (attempt.state, attempt.nodes) == (ExecutionState.RUNNING, ("a", "b", "c"))
        assert attempt.started == attempt.state_since
        assert not attempt.is_submitted
    assert [event.message for event in place.provider.events(uuid)] == ["queued", "running"]


def test_a_run_that_is_to_be_followed_by_another_is_handed_over_again(place):
    uuid = place.queue("j")
    place.provider.keep()
    journal = place.begin(uuid)
    journal.end(requeued())
    place.provider.keep()
    assert place.engine.launched == [(uuid, 1), (uuid, 2)]
    assert place.attempt(uuid).is_submitted
    del place.engine.reports[uuid]
    place.provider.keep()
    assert len(place.engine.launched) == 2


def test_what_was_not_handed_over_is_in_the_next_step(place):
    """The command that put it was killed between its transaction and the launch."""
    place.engine.is_down = True
    uuid = place.queue("j")
    place.provider.keep()
    assert place.attempt(uuid).is_submitted
    place.engine.is_down = False
    place.engine.reports[uuid] = NOWHERE
    place.provider.keep()
    assert place.engine.launched == [(uuid, 1)]


def test_an_end_that_the_queue_has_not_heard_of_is_said_again(place):
    """The command that cancelled was killed before it could ask the engine."""
    uuid = place.queue("j")
    place.provider.keep()
    place.store.attempts.ask_to_stop(uuid, StopReason.CANCEL)
    assert place.attempt(uuid).state is ExecutionState.TERMINATING
    place.provider.keep()
    assert place.engine.stopped == [uuid]
    place.engine.reports[uuid] = NOWHERE
    place.provider.keep()
    assert place.attempt(uuid).outcome == "cancelled"
    assert place.attempt(uuid).started is None
    # No supervisor can start it now, and none was started in order to be cancelled.
    assert not claim(place.folder / "jobs" / uuid, 1)
    assert place.engine.launched == [(uuid, 1)]


def test_a_run_that_starts_while_it_is_cancelled_ends_as_its_supervisor_says(place):
    uuid = place.queue("j")
    place.provider.keep()
    place.provider.cancel(place.attempt(uuid).job)
    journal = place.begin(uuid)
    assert journal.stop_reason() is StopReason.CANCEL
    place.provider.keep()
    assert place.attempt(uuid).state is ExecutionState.TERMINATING
    assert place.attempt(uuid).nodes == ("a", "b", "c")
    journal.end(End(ExecutionState.SUCCEEDED, 0))
    place.provider.keep()
    assert place.attempt(uuid).state is ExecutionState.SUCCEEDED


def test_nothing_changes_for_a_run_of_which_nothing_is_known_now(place, monkeypatch):
    uuid = place.queue("j")
    place.provider.keep()
    run_file(place.folder / "jobs" / uuid, 1).unlink()
    monkeypatch.setattr(place.engine, "observe", lambda _: {})
    place.provider.keep()
    assert place.attempt(uuid).is_submitted
    assert len(place.engine.launched) == 1


def test_a_report_on_a_run_before_does_not_end_the_one_after_it(place, monkeypatch):
    """Another command has recorded the end of the first run, and handed over the second one."""
    uuid = place.queue("j")
    place.provider.keep()
    journal = place.begin(uuid)
    place.provider.keep()

    original = place.engine.observe

    def observe(_):
        monkeypatch.setattr(place.engine, "observe", original)
        journal.end(requeued())
        del place.engine.reports[uuid]
        place.provider.keep()
        return {uuid: Report(Condition.LOST)}

    monkeypatch.setattr(place.engine, "observe", observe)
    place.provider.keep()
    assert place.attempt(uuid).is_submitted
    assert place.attempt(uuid).run == 2


def test_clusters_have_no_nodes_here_and_keep_the_scale_that_they_are_given(place):
    auto = {"autoScale": {"minimumNodeCount": 1, "maximumNodeCount": 4}}
    wire = {"properties": {"vmSize": "S", "scaleSettings": auto}}
    place.queue("j")
    assert place.provider.consequences(Resource(CLUSTER, wire)) == ()
    operation = place.provider.put(Resource(CLUSTER, wire))
    assert place.provider.is_done(operation)
    place.provider.keep()
    assert place.store.nodes(CLUSTER) == []
    assert place.provider.allocation(CLUSTER)[0] == "steady"
