"""The memory of the embedded provider, under many processes and sudden death."""

import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.errors import NotFoundError, StateError
from bai.runtime.jobs.records import ExecutionState, StopReason
from bai.runtime.provider.attempt_rows import Demand
from bai.runtime.provider.store import Store
from bai.specs.errors import ConflictError

WORKSPACE = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")
EXPERIMENT = WORKSPACE.sibling(Kind.EXPERIMENT, "e")
CLUSTER = WORKSPACE.sibling(Kind.CLUSTER, "c")
WRITER = """\
import sys
from pathlib import Path
from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.provider.attempt_rows import Demand
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


def test_a_database_that_another_process_is_making(tmp_path):
    with sqlite3.connect(tmp_path / "state.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(1) as pool:
            opened = pool.submit(Store, tmp_path)
            # It waits, however slow this machine is.
            assert not wait([opened], 0.5).done
            other.execute("ROLLBACK")
            assert opened.result().of_kind(Kind.JOB) == []


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


def test_a_job_that_has_not_ended_can_be_neither_deleted_nor_replaced(store):
    demand = Demand(CLUSTER, 1, 1)
    store.put(job("j"), {}, demand)
    with pytest.raises(ConflictError, match="has not ended"):
        store.put(job("j"), {"new": 1}, Demand(CLUSTER, 1, 1))
    for id in (job("j"), EXPERIMENT, CLUSTER, WORKSPACE):
        with pytest.raises(ConflictError, match="has not ended"):
            store.delete(id)
    assert store.get(job("j")).wire == {}
    store.attempts.ask_to_stop(demand.uuid, StopReason.CANCEL)
    assert store.delete(WORKSPACE)
    assert store.of_kind(Kind.JOB) == []


def test_what_is_being_deleted_takes_nothing_more(store):
    demand = Demand(CLUSTER, 1, 1)
    store.put(job("j"), {}, demand)
    assert store.begin_deletion(EXPERIMENT) == ()
    assert store.attempts.get(demand.uuid).outcome == "cancelled"
    with pytest.raises(ConflictError, match="the experiment e is being deleted: try again when"):
        store.put(job("other"), {}, Demand(CLUSTER, 1, 1))
    assert store.deleting() == (EXPERIMENT,)


def test_a_cluster_in_use_from_elsewhere_is_not_deleted(store):
    demand = Demand(CLUSTER, 1, 1)
    store.put(job("j"), {}, demand)
    with pytest.raises(ConflictError, match="the cluster c is in use by j: wait for it"):
        store.begin_deletion(CLUSTER)
    assert store.attempts.get(demand.uuid).state is ExecutionState.QUEUED


def test_who_only_reads_makes_no_state_folder(tmp_path):
    store = Store(tmp_path / "deep/state")
    assert store.of_kind(Kind.JOB) == []
    assert store.get(CLUSTER) is None
    assert store.attempts.running() == ()
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


@pytest.mark.parametrize("before", [[], ["storage"]])
def test_git_ignores_a_new_state_folder(tmp_path, before):
    state = tmp_path / ".bai"
    for name in before:
        (state / name).mkdir(parents=True)
    Store(state).put(WORKSPACE, {"location": "local"})
    assert (state / ".gitignore").read_text().splitlines()[-1] == "*"
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    status = ["git", "-C", tmp_path, "status", "--porcelain", "--untracked-files=all"]
    assert subprocess.check_output(status) == b""


def test_a_folder_with_other_files_gets_no_gitignore(tmp_path):
    (tmp_path / "train.py").touch()
    Store(tmp_path).put(WORKSPACE, {"location": "local"})
    assert not (tmp_path / ".gitignore").exists()


def test_a_gitignore_that_was_changed_stays(tmp_path):
    Store(tmp_path / "state").put(WORKSPACE, {"location": "local"})
    (tmp_path / "state/.gitignore").write_text("state.db\n")
    with Store(tmp_path / "state").plan_lock():
        pass
    assert (tmp_path / "state/.gitignore").read_text() == "state.db\n"


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


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_a_state_that_can_not_be_written_is_read(tmp_path):
    """The last process that had it open has removed its files beside the database."""
    folder = tmp_path / "state"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)
    try:
        store = Store(folder)
        store.put(WORKSPACE, {"location": "x"})
        store.close()
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        reader = Store(folder)
        assert reader.get(WORKSPACE).wire == {"location": "x"}
        with pytest.raises(StateError, match=r"can't write .*: the file system is read-only"):
            reader.put(WORKSPACE, {"location": "y"})
        subprocess.run(["mount", "-o", "remount,rw", folder], check=True)
        reader.put(WORKSPACE, {"location": "y"})
        assert Store(folder).get(WORKSPACE).wire == {"location": "y"}
        reader.close()
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
