"""Supervisors of the local engine that are killed."""

import os
import signal
import sqlite3
from pathlib import Path

import pytest
from watching import gone, job_json, until

from bai.compiler.resources.ids import ResourceId
from bai.runtime.jobs.records import End, ExecutionState
from bai.runtime.provider.store import Store


def newest(state, column):
    """Return what the database says of the newest attempt."""
    database = sqlite3.connect(state / "state.db")
    try:
        query = f"SELECT {column} FROM attempts ORDER BY created DESC LIMIT 1"
        return database.execute(query).fetchone()[0]
    finally:
        database.close()


def supervisor(state):
    return newest(state, "supervisor")


def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_killed_supervisor_leaves_no_process_and_a_recorded_failure(bai):
    pid = bai.folder / "pid"
    bai.run("apply", "-d", bai.write(bai.custom("lost", f"echo $$ > {pid}; sleep 600")))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    os.kill(supervisor(bai.folder / ".bai"), signal.SIGKILL)
    bai.run("wait", "lost", code=1)
    assert gone(int(pid.read_text()))
    info = job_json(bai, "lost")["executionInfo"]
    assert info["errors"][0]["code"] == "JobSupervisorLost"


def test_killed_supervisor_and_guardian_are_found_by_the_next_command(bai):
    pid = bai.folder / "pid"
    bai.run("apply", "-d", bai.write(bai.custom("lost", f"echo $$ > {pid}; sleep 600")))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    found = supervisor(bai.folder / ".bai")
    os.kill(parent(found), signal.SIGKILL)
    os.kill(found, signal.SIGKILL)
    assert gone(found)
    assert "failed" in bai.run("get", "jobs").stdout
    assert gone(int(pid.read_text()))


def test_a_process_dies_with_supervisor_and_guardian_before_any_command_looks(bai):
    pid = bai.folder / "pid"
    bai.run("apply", "-d", bai.write(bai.custom("lost", f"echo $$ > {pid}; read x < /dev/zero")))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    found = supervisor(bai.folder / ".bai")
    os.kill(parent(found), signal.SIGKILL)
    os.kill(found, signal.SIGKILL)
    assert gone(int(pid.read_text()))


@pytest.mark.parametrize("guarded", [True, False], ids=["supervisor", "guardian too"])
def test_a_queued_job_whose_supervisor_is_killed_gets_another(bai, guarded):
    state, gate = bai.folder / ".bai", bai.folder / "gate"
    os.mkfifo(gate)
    first = bai.custom("first", f"read x < {gate}", nodeCount=2)
    bai.run("apply", "-d", bai.write(first))
    bai.run("wait", "first", "--for", "running")
    bai.run("apply", "-d", bai.write(first + bai.custom("second", "echo done")))
    found = until(lambda: supervisor(state), "the claim")
    if not guarded:
        os.kill(parent(found), signal.SIGKILL)
    os.kill(found, signal.SIGKILL)
    assert gone(found)
    until(
        lambda: bai.run("get", "jobs") and supervisor(state) not in (None, found),
        "another supervisor",
    )
    gate.write_text("go\n")
    bai.run("wait", "second")
    assert bai.run("logs", "second").stdout == "done\n"


def test_a_supervisor_ends_with_a_job_that_is_deleted_while_it_starts(bai):
    """A command may end and delete a job that is claimed in the same moment."""
    first = bai.custom("first", "sleep 600", nodeCount=2)
    bai.run("apply", "-d", bai.write(first))
    bai.run("wait", "first", "--for", "running")
    bai.run("apply", "-d", bai.write(first + bai.custom("second", "true")))
    database = sqlite3.connect(bai.folder / ".bai/state.db")
    query = "SELECT supervisor, uuid, job FROM attempts WHERE job LIKE '%second'"
    until(lambda: database.execute(query).fetchone()[0], "the claim")
    pid, uuid, job = database.execute(query).fetchone()
    database.close()
    store = Store(bai.folder / ".bai")
    store.attempts.finish(uuid, End(ExecutionState.FAILED, None))
    store.delete(ResourceId.parse(job))
    store.close()
    assert gone(pid)
