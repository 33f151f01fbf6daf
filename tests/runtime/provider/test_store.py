"""The memory of the embedded provider, under many processes and sudden death."""

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.errors import NotFoundError, StateError
from bai.runtime.jobs.records import End, ExecutionState
from bai.runtime.provider.attempts import PRIORITIES, Demand
from bai.runtime.provider.store import Store
from bai.specs.errors import ConflictError

WORKSPACE = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")
EXPERIMENT = WORKSPACE.sibling(Kind.EXPERIMENT, "e")
CLUSTER = WORKSPACE.sibling(Kind.CLUSTER, "c")
WRITER = """\
import sys
from pathlib import Path
from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.provider.attempts import Demand
from bai.runtime.provider.store import Store
store = Store(Path(sys.argv[1]))
w = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")
"""
"""How a script begins that writes into a store, given its folder."""


def job(name):
    return WORKSPACE.sibling(Kind.JOB, name, "e")


def cluster_wire(nodes):
    return {"properties": {"scaleSettings": {"manual": {"targetNodeCount": nodes}}}}


@pytest.fixture
def store(tmp_path):
    found = Store(tmp_path / "state")
    found.put(WORKSPACE, {"location": "x"})
    found.put(EXPERIMENT, {})
    found.put(CLUSTER, cluster_wire(2))
    yield found
    found.close()


def test_a_resource_needs_its_parent(store):
    with pytest.raises(NotFoundError, match="the experiment other does not exist"):
        store.put(WORKSPACE.sibling(Kind.JOB, "j", "other"), {})
    assert store.of_kind(Kind.JOB) == []


def test_ids_are_the_same_in_any_case(store):
    assert store.get(
        ResourceId.parse(str(CLUSTER).replace("/resourceGroups/g", "/RESOURCEGROUPS/g"))
    )
    assert store.get(WORKSPACE.sibling(Kind.CLUSTER, "C")).id == CLUSTER


@pytest.mark.slow
def test_an_attempt_is_claimed_once(store):
    attempt = store.put(job("j"), {}, Demand(CLUSTER, 1, 1))
    script = (
        "import os, sys; from pathlib import Path\n"
        "from bai.runtime.provider.store import Store\n"
        "sys.stdin.read()\n"
        "print(Store(Path(sys.argv[1])).attempts.claim(sys.argv[2], os.getpid()))\n"
    )
    call = [sys.executable, "-c", script, store.folder, attempt.uuid]
    racers = [
        subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    for racer in racers:
        racer.stdin.close()
    answers = []
    for racer in racers:
        with racer:
            answers.append(racer.stdout.read().strip())
    assert sorted(answers) == ["False"] * 7 + ["True"]


@pytest.mark.slow
def test_many_processes_write_at_once(store):
    script = WRITER + (
        "for n in range(20):\n"
        "    id = w.sibling(Kind.JOB, f'{sys.argv[2]}-{n}', 'e')\n"
        "    store.put(id, {'n': n}, Demand(w.sibling(Kind.CLUSTER, 'c'), 1, 1))\n"
    )
    call = [sys.executable, "-c", script, store.folder]
    writers = [subprocess.Popen([*call, str(number)]) for number in range(5)]
    assert [writer.wait() for writer in writers] == [0] * 5
    assert len(store.of_kind(Kind.JOB)) == 100
    assert all(found.attempt.number == 1 for found in store.of_kind(Kind.JOB))


@pytest.mark.slow
def test_a_writer_killed_at_any_time_leaves_whole_changes(store):
    script = WRITER + (
        "for n in range(10**6):\n"
        "    id = w.sibling(Kind.JOB, f'j{n}', 'e')\n"
        "    store.put(id, {'n': n}, Demand(w.sibling(Kind.CLUSTER, 'c'), 1, 1))\n"
        "    print(n, flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, store.folder], stdout=subprocess.PIPE, text=True
    ) as writer:
        seen = [int(writer.stdout.readline()) for _ in range(50)]
        os.kill(writer.pid, signal.SIGKILL)
        seen += [int(line) for line in writer.stdout.read().split()]
    kept = Store(store.folder).of_kind(Kind.JOB)
    # What was acknowledged is there, and every job has its attempt.
    assert len(kept) >= len(seen)
    assert all(found.attempt is not None for found in kept)
    database = sqlite3.connect(store.folder / "state.db")
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_a_full_disk_is_said_and_nothing_is_half_written(store):
    limited = store._connection
    pages = limited.execute("PRAGMA page_count").fetchone()[0]
    limited.execute(f"PRAGMA max_page_count = {pages}")

    def fill():
        for number in range(10_000):
            store.put(job(f"j{number}"), {"text": "x" * 1000}, Demand(CLUSTER, 1, 1))

    with pytest.raises(StateError, match="the disk is full"):
        fill()
    found = Store(store.folder).of_kind(Kind.JOB)
    assert all(each.attempt is not None for each in found)


def test_a_newer_state_is_refused(store):
    store._connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StateError, match="newer bai"):
        Store(store.folder)


def test_a_job_that_runs_can_be_neither_deleted_nor_replaced(store):
    attempt = store.put(job("j"), {}, Demand(CLUSTER, 1, 1))
    store.attempts.claim(attempt.uuid, 1)
    store.attempts.allocate(attempt.uuid, 2)
    with pytest.raises(ConflictError, match="has not ended"):
        store.put(job("j"), {"new": 1}, Demand(CLUSTER, 1, 1))
    for id in (job("j"), EXPERIMENT, WORKSPACE):
        with pytest.raises(ConflictError, match="has not ended"):
            store.delete(id)
    assert store.get(job("j")).wire == {}
    store.attempts.finish(attempt.uuid, End(ExecutionState.SUCCEEDED, 0))
    assert store.delete(WORKSPACE)
    assert store.of_kind(Kind.JOB) == []


def test_what_a_queued_attempt_waits_for(store):
    def queue(name, nodes, processes, priority="normal"):
        return store.put(job(name), {}, Demand(CLUSTER, nodes, processes, priority)).uuid

    def words(uuid, slots=4):
        return str(store.attempts.waiting(uuid, slots))

    store.put(CLUSTER, cluster_wire(3))
    first = queue("first", 2, 2)
    assert store.attempts.waiting(first, 4) is None
    store.attempts.allocate(first, 4)
    assert store.attempts.waiting(first, 4) is None
    second = queue("second", 2, 2)
    assert words(second) == "waits for 2 nodes of cluster c: 1 of 3 free, first holds 2"
    # Nodes first, even if processes are missing too.
    assert words(second, 3) == "waits for 2 nodes of cluster c: 1 of 3 free, first holds 2"
    store.put(CLUSTER, cluster_wire(4))
    assert words(second, 3) == "waits for 2 processes of this machine: 1 of 3 free, first holds 2"
    store.put(CLUSTER, cluster_wire(3))
    third = queue("third", 1, 1)
    assert words(third) == "waits for its turn on cluster c, after second"
    queue("urgent", 1, 1, "high")
    assert words(third) == "waits for its turn on cluster c, after urgent and 1 other"
    queue("later", 1, 1, "high")
    assert words(third) == "waits for its turn on cluster c, after urgent and 2 others"
    # Cancelled, it stands in nobody's way.
    store.attempts.request_cancel(second)
    assert store.attempts.waiting(second, 4) is None
    assert words(third) == "waits for its turn on cluster c, after urgent and 1 other"
    assert store.attempts.waiting("nobody", 4) is None


def test_a_job_on_a_cluster_that_shrank_below_it(store):
    store.put(CLUSTER, cluster_wire(4))
    big = store.put(job("big"), {}, Demand(CLUSTER, 3, 3)).uuid
    store.put(CLUSTER, cluster_wire(2))
    assert str(store.attempts.waiting(big, 4)) == "waits for 3 nodes: cluster c has only 2 now"


class Allocation(RuleBasedStateMachine):
    """Gangs get all their nodes or none, in order, and never more than there are."""

    NODES = 4
    SLOTS = 6

    @initialize()
    def begin(self):
        self.folder = tempfile.TemporaryDirectory()
        self.store = Store(Path(self.folder.name))
        for id, wire in ((WORKSPACE, {}), (EXPERIMENT, {}), (CLUSTER, cluster_wire(self.NODES))):
            self.store.put(id, wire)
        self.waiting = {}
        self.running = {}
        self.count = 0
        self.uuids = []

    def one_of(self, data, some):
        """Draw one of some attempts, known by their age: their names are random."""
        ages = [age for age, uuid in enumerate(self.uuids) if uuid in some]
        return self.uuids[data.draw(st.sampled_from(ages))]

    @rule(
        nodes=st.integers(1, 4), each=st.integers(1, 2), priority=st.sampled_from(list(PRIORITIES))
    )
    def queue(self, nodes, each, priority):
        self.count += 1
        demand = Demand(CLUSTER, nodes, nodes * each, priority)
        attempt = self.store.put(job(f"j{self.count}"), {}, demand)
        assert self.store.attempts.claim(attempt.uuid, 1)
        self.uuids.append(attempt.uuid)
        self.waiting[attempt.uuid] = (-PRIORITIES[priority], self.count, demand)

    @precondition(lambda self: self.waiting)
    @rule(data=st.data())
    def allocate(self, data):
        uuid = self.one_of(data, self.waiting)
        first = min(self.waiting, key=lambda each: self.waiting[each][:2])
        demand = self.waiting[uuid][2]
        free = self.NODES - sum(len(nodes) for nodes, _ in self.running.values())
        used = sum(processes for _, processes in self.running.values())
        fits = demand.nodes <= free
        fits = fits and (not self.running or used + demand.processes <= self.SLOTS)
        waiting = self.store.attempts.waiting(uuid, self.SLOTS)
        nodes = self.store.attempts.allocate(uuid, self.SLOTS)
        assert (waiting is None) == (nodes is not None)
        assert (nodes is not None) == (uuid == first and fits)
        if nodes is not None:
            assert len(set(nodes)) == demand.nodes
            del self.waiting[uuid]
            self.running[uuid] = (nodes, demand.processes)

    @precondition(lambda self: self.running)
    @rule(data=st.data())
    def finish(self, data):
        uuid = self.one_of(data, self.running)
        assert self.store.attempts.finish(uuid, End(ExecutionState.SUCCEEDED, 0))
        assert not self.store.attempts.finish(uuid, End(ExecutionState.FAILED, 1))
        assert self.store.attempts.get(uuid).state is ExecutionState.SUCCEEDED
        del self.running[uuid]

    @precondition(lambda self: self.waiting)
    @rule(data=st.data())
    def cancel(self, data):
        uuid = self.one_of(data, self.waiting)
        self.store.attempts.request_cancel(uuid)
        assert self.store.attempts.allocate(uuid, self.SLOTS) is None
        self.store.attempts.finish(uuid, End(ExecutionState.FAILED, None))
        del self.waiting[uuid]

    @invariant()
    def nodes_belong_to_one(self):
        if not hasattr(self, "store"):
            return
        held = self.store.attempts.held_nodes(CLUSTER)
        expected = {node: uuid for uuid, (nodes, _) in self.running.items() for node in nodes}
        assert {node: attempt.uuid for node, attempt in held.items()} == expected
        assert set(held) <= set(range(self.NODES))

    def teardown(self):
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()


TestAllocation = Allocation.TestCase
TestAllocation.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_who_only_reads_makes_no_state_folder(tmp_path):
    store = Store(tmp_path / "deep/state")
    assert store.of_kind(Kind.JOB) == []
    assert store.get(CLUSTER) is None
    assert store.attempts.alive() == ()
    assert list(tmp_path.iterdir()) == []


def test_a_reader_sees_what_another_process_makes_later(tmp_path):
    reader = Store(tmp_path / "state")
    before = reader.version()
    assert reader.get(WORKSPACE) is None
    writer = Store(tmp_path / "state")
    writer.put(WORKSPACE, {"location": "local"})
    assert reader.get(WORKSPACE).wire == {"location": "local"}
    assert reader.version() != before
    reader.put(CLUSTER, {"properties": {"scaleSettings": {"manual": {"targetNodeCount": 1}}}})
    assert writer.get(CLUSTER) is not None


def test_a_storage_folder_alone_is_no_state(tmp_path):
    (tmp_path / "state/storage").mkdir(parents=True)
    assert Store(tmp_path / "state").of_kind(Kind.JOB) == []
    assert [path.name for path in (tmp_path / "state").iterdir()] == ["storage"]


def test_a_state_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "state").touch()
    with pytest.raises(StateError, match=r"can't use the state folder .*: Not a directory"):
        Store(tmp_path / "state")


def test_a_state_folder_that_can_not_be_made_is_refused_by_the_first_change(tmp_path):
    store = Store(tmp_path / "state")
    (tmp_path / "state").symlink_to(tmp_path / "gone/away")
    with pytest.raises(StateError, match="can't use the state folder"):
        store.put(WORKSPACE, {})
    (tmp_path / "state").unlink()
    store.put(WORKSPACE, {})
    assert Store(tmp_path / "state").get(WORKSPACE) is not None
