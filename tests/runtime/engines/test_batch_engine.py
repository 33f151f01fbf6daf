"""The engine for tests that has a queue and nodes of its own."""

import json
import os
import signal
from pathlib import Path

import pytest
from engines import ENGINES
from watching import gone, job_json, supervisors, until

CLUSTER_NODES = ["batch0", "batch1"]


@pytest.fixture
def engine():
    return ENGINES["batch"]


@pytest.fixture
def busy(bai):
    """Return bai with a job `first` that has both nodes, and the pipe that lets it end."""
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    first = bai.custom("first", f"read x < {gate}", nodeCount=2)
    bai.run("apply", "-d", bai.write(first))
    bai.run("wait", "first", "--for", "running")
    return bai, first, gate


def queue(bai):
    """Return what waits in the engine's queue."""
    return list((bai.folder / ".bai/batch/waiting").iterdir())


def test_a_job_says_what_it_waits_for_in_the_engine_s_queue(busy):
    bai, first, gate = busy
    jobs = first + bai.custom("second", "echo mine") + bai.custom("third", "echo last")
    bai.run("apply", "-d", bai.write(jobs))
    assert len(queue(bai)) == 2
    assert job_json(bai, "second")["executionState"] == "queued"
    what = "1 node of the batch queue: 0 of 2 free"
    table = bai.run("get").stdout.splitlines()
    assert [line.rsplit("  ", 1)[-1] for line in table[2:]] == [
        what,
        "its turn in the batch queue, after 1 job",
    ]
    assert f"\n  waits for {what}\n" in bai.run("describe", "job", "second").stdout
    late = bai.run("wait", "second", "--timeout", "0", code=2).stderr
    assert late == f"error: the job second is still queued after 0s; it waits for {what}\n"
    with bai.start("apply", bai.write(jobs)) as following:
        for line in following.stdout:
            if line.startswith("third: waits for its turn in the batch queue, after 1 job"):
                gate.write_text("go\n")
    assert following.returncode == 0
    assert bai.run("logs", "third").stdout == "last\n"


def test_the_nodes_are_the_engine_s(busy):
    bai, _, gate = busy
    found = json.loads(bai.run("get", "nodes", "-o", "json").stdout)
    assert [node["node"] for node in found] == CLUSTER_NODES
    assert {node["state"] for node in found} == {"running"}
    assert {node["job"].rpartition("/")[2] for node in found} == {"first"}
    assert bai.run("get", "nodes", "-o", "name").stdout.split() == ["c/batch0", "c/batch1"]
    cluster = json.loads(bai.run("get", "cluster", "c", "-o", "json").stdout)["properties"]
    assert cluster["nodeStateCounts"]["runningNodeCount"] == 2
    gate.write_text("go\n")
    bai.run("wait", "first")
    table = until(lambda: "running" not in (t := bai.run("get", "nodes").stdout) and t, "the end")
    assert [line.split() for line in table.splitlines()[1:]] == [
        ["c", "local", node, "idle"] for node in CLUSTER_NODES
    ]


def test_the_engine_s_nodes_can_not_be_scaled(busy):
    bai, first, _ = busy
    said = bai.run("scale", "cluster/c", "--nodes", "1", code=2).stderr
    assert said == (
        "error: the cluster c can't be resized: its nodes are those of the engine's own cluster, "
        "whose administrator can change them\n"
    )
    # A smaller cluster in a spec hurts no job either.
    bai.run("apply", "-d", bai.write(first, scale=1), code=None)
    assert job_json(bai, "first")["executionState"] == "running"


@pytest.mark.parametrize("command", [("cancel", "second"), ("delete", "job", "second", "-y")])
def test_a_job_that_waits_in_the_queue_never_starts_once_it_is_ended(busy, command):
    bai, first, gate = busy
    ran = bai.folder / "ran"
    bai.run("apply", "-d", bai.write(first + bai.custom("second", f"echo x > {ran}")))
    assert len(queue(bai)) == 1
    bai.run(*command)
    assert queue(bai) == []
    if command[0] == "cancel":
        info = job_json(bai, "second")["executionInfo"]
        assert info["errors"][0]["code"] == "JobTerminated"
        assert "startTime" not in info
    gate.write_text("go\n")
    bai.run("wait", "first")
    assert not ran.exists()


def test_a_job_in_the_queue_starts_though_nothing_of_bai_is_left(busy):
    """The guardian of the job before takes no keeper step, and no command is run."""
    bai, first, _ = busy
    ran = bai.folder / "ran"
    bai.run("apply", "-d", bai.write(first + bai.custom("second", f"echo x >> {ran}")))
    for guardian, supervisor in supervisors(bai.folder / ".bai").values():
        os.kill(guardian, signal.SIGSTOP)
        os.kill(supervisor, signal.SIGKILL)
        os.kill(guardian, signal.SIGKILL)
    until(ran.exists, "the second job")
    bai.run("wait", "second")
    assert job_json(bai, "first")["executionInfo"]["errors"][0]["code"] == "JobSupervisorLost"
    assert ran.read_text() == "x\n"


def test_a_dispatcher_that_was_killed_is_replaced(busy):
    bai, first, gate = busy
    ran = bai.folder / "ran"
    bai.run("apply", "-d", bai.write(first + bai.custom("second", f"echo x >> {ran}")))
    pid = dispatcher(bai)
    os.kill(pid, signal.SIGKILL)
    assert gone(pid)
    gate.write_text("go\n")
    bai.run("wait", "second")
    bai.run("wait", "first")
    assert ran.read_text() == "x\n"


def dispatcher(bai):
    """Return the process id of the dispatcher."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        if os.fsencode(bai.folder / ".bai/batch") in words:
            return int(entry.parent.name)
    raise AssertionError("there is none")
