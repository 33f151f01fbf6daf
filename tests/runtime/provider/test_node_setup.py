"""The preparation of nodes over an engine that starts no process."""

from dataclasses import replace

import pytest

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.runtime.engines.base import Features
from bai.runtime.errors import LaunchError
from bai.runtime.jobs.records import JobError
from bai.runtime.jobs.submitted import Submitted
from bai.runtime.provider.embedded import EmbeddedProvider
from bai.runtime.provider.keeper import Keeper
from bai.runtime.provider.store import Store
from bai.runtime.scheduling.preparation import RUNS, TaskReport, TaskState

WORKSPACE = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")
CLUSTER = WORKSPACE.sibling(Kind.CLUSTER, "c")


class Tasks:
    """Setup tasks as an engine would run them; the test says how they stand."""

    runs = True
    place = "there"

    def __init__(self):
        self.accepted = {}
        self.launched = []
        self.reports = {}
        self.folders = set()
        self.asked = []
        self.slow = False
        self.broken = None

    def accept(self, uuid, submitted):
        self.accepted[uuid] = submitted

    def has_accepted(self, uuid):
        return uuid in self.accepted

    def forget(self, uuid):
        self.accepted.pop(uuid, None)

    def launch(self, node, cluster):
        assert cluster["properties"]["nodeSetup"]["setupTask"]
        if self.broken:
            raise LaunchError(self.broken)
        self.launched.append((node.number, node.run))
        self.folders.add(node.uuid)
        self.reports[node.number] = TaskReport(TaskState.ALIVE)

    def revoke(self, node):
        return True

    def observe(self, nodes):
        return {node.uuid: self.reports[node.number] for node in nodes}

    def kept(self):
        return list(self.folders)

    def remove(self, uuid):
        self.asked.append(uuid)
        if self.slow:
            return False
        self.folders.discard(uuid)
        return True


class Engine:
    """Runs setup tasks, and no jobs."""

    features = Features()

    def __init__(self):
        self.setup_tasks = Tasks()

    def observe(self, attempts):
        return {}


def wire(nodes, **task):
    setup = {"commandLine": "x", "stdOutErrPathPrefix": "/logs", **task}
    scale = {"manual": {"targetNodeCount": nodes}}
    properties = {"vmSize": "S", "scaleSettings": scale, "nodeSetup": {"setupTask": setup}}
    return {"properties": properties}


class Place:
    """A state folder with one cluster."""

    def __init__(self, folder):
        self.store, self.engine = Store(folder), Engine()
        self.tasks = self.engine.setup_tasks
        self.provider = EmbeddedProvider(self.store, self.engine)
        self.keeper = Keeper(self.store, self.engine)
        self.store.put(WORKSPACE, {"location": "x"})

    def scale(self, nodes, **task):
        return self.provider.put(Resource(CLUSTER, wire(nodes, **task)))

    def set(self, state, *errors):
        for number in self.tasks.reports:
            self.tasks.reports[number] = TaskReport(state, errors)
        self.keeper.step()

    @property
    def nodes(self):
        return [node.state for node in self.provider.nodes(CLUSTER)]


@pytest.fixture
def place(tmp_path):
    found = Place(tmp_path / "state")
    yield found
    found.store.close()


def test_new_nodes_are_prepared_once(place):
    place.scale(2)
    assert place.nodes == ["preparing", "preparing"]
    place.keeper.step()
    assert place.tasks.launched == [(0, 1), (1, 1)]
    place.set(TaskState.READY)
    assert place.nodes == ["idle", "idle"]
    place.scale(3)
    assert place.nodes == ["idle", "idle", "preparing"]
    assert place.tasks.launched[2:] == [(2, 1)]


def test_a_failed_one_is_unusable_with_its_reason(place):
    place.scale(1)
    error = JobError("SetupTaskFailed", "The setup task failed with exit code 3", {"log": "/l"})
    place.set(TaskState.FAILED, error)
    (node,) = place.provider.nodes(CLUSTER)
    assert (node.state, node.errors) == ("unusable", (error,))
    place.scale(0)
    place.scale(1)
    (node,) = place.provider.nodes(CLUSTER)
    assert (node.state, node.errors) == ("preparing", ())


def test_a_killed_one_runs_again_a_few_times(place):
    place.scale(1)
    for _ in range(RUNS):
        assert place.nodes == ["preparing"]
        place.set(TaskState.LOST)
    assert place.tasks.launched == [(0, run + 1) for run in range(RUNS)]
    assert place.nodes == ["unusable"]


def test_one_that_can_not_be_launched_is_given_up(place):
    place.tasks.broken = "the disk is full"
    place.tasks.reports[0] = TaskReport(TaskState.NOT_STARTED)
    place.scale(1)
    for _ in range(RUNS):
        place.keeper.step()
    (node,) = place.provider.nodes(CLUSTER)
    assert node.errors[0].message == "The setup task does not start: the disk is full"


def test_a_command_that_was_killed_before_the_launch(place):
    place.store.put(CLUSTER, wire(1), new_nodes="preparing")
    assert place.tasks.launched == []
    place.keeper.step()
    assert place.tasks.launched == [(0, 1)]


def test_a_node_that_goes_is_not_gone_before_its_task(place):
    place.scale(1)
    place.tasks.slow = True
    operation = place.scale(0)
    assert place.nodes == []
    # Asked by the command itself, which may not wait.
    assert len(place.tasks.asked) == 1
    place.keeper.step()
    assert not place.provider.is_done(operation)
    place.tasks.slow = False
    place.keeper.step()
    assert place.tasks.folders == set()
    assert place.provider.is_done(operation)


def test_a_cluster_goes_after_its_tasks(place):
    place.scale(1)
    place.tasks.slow = True
    operation = place.provider.delete(CLUSTER)
    assert not place.provider.is_done(operation)
    assert place.nodes == ["leaving"]
    place.tasks.slow = False
    place.keeper.step()
    assert place.provider.is_done(operation)
    assert (place.tasks.folders, place.tasks.accepted) == (set(), {})


def test_the_environment_is_that_of_the_last_command_that_knows_the_secrets(place, monkeypatch):
    secrets = [{"name": "T", "value": "<secret env:TOKEN>"}]
    monkeypatch.setenv("TOKEN", "first")
    place.scale(1, secrets=secrets)
    monkeypatch.delenv("TOKEN")
    place.scale(2, secrets=secrets)
    (kept,) = place.tasks.accepted.values()
    assert kept.secrets == {"T": "first"}
    monkeypatch.setenv("TOKEN", "second")
    place.scale(3, secrets=secrets)
    (kept,) = place.tasks.accepted.values()
    assert isinstance(kept, Submitted)
    assert kept.secrets == {"T": "second"}


def test_without_a_setup_task_nodes_are_ready_at_once(place):
    bare = wire(1)
    del bare["properties"]["nodeSetup"]
    place.provider.put(Resource(CLUSTER, bare))
    assert place.nodes == ["idle"]
    assert place.tasks.accepted == {}


def test_nodes_that_wait_for_a_task_that_does_not_run_any_more_are_ready(place):
    place.scale(1)
    place.tasks.runs = False
    place.set(TaskState.LOST)
    assert place.nodes == ["idle"]


def test_nodes_of_an_automatic_scale_are_prepared_too(place):
    desired = wire(0)
    desired["properties"]["scaleSettings"] = {
        "autoScale": {"minimumNodeCount": 1, "maximumNodeCount": 2}
    }
    place.scale(0)
    place.provider.put(Resource(CLUSTER, desired))
    assert place.nodes == ["preparing"]
    assert place.tasks.launched == [(0, 1)]


def test_an_engine_that_knows_no_setup_tasks(place):
    place.scale(1)
    place.engine.setup_tasks = None
    place.keeper.step()
    assert place.nodes == ["idle"]
    place.scale(2)
    assert place.nodes == ["idle", "idle"]


def test_a_report_on_an_earlier_node_of_that_number_changes_nothing(place):
    place.scale(1)
    observe = place.tasks.observe

    def replaced_meanwhile(nodes):
        found = {uuid: replace(r, state=TaskState.READY) for uuid, r in observe(nodes).items()}
        place.tasks.observe = observe
        place.store.put(CLUSTER, wire(0))
        place.store.put(CLUSTER, wire(1), new_nodes="preparing")
        place.keeper.schedule()
        return found

    place.tasks.observe = replaced_meanwhile
    place.keeper.catch_up()
    assert place.nodes == ["preparing"]
