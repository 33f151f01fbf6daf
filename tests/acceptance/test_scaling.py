"""Clusters that grow and shrink while jobs run on them."""

import json
import os
import signal

from watching import job_json, until


def states(bai):
    """Return node -> (state, name of the job) of all nodes."""
    found = json.loads(bai.run("get", "nodes", "-o", "json").stdout)
    return {
        each["node"]: (each["state"], each["job"] and each["job"].rsplit("/", 1)[1])
        for each in found
    }


def test_a_job_on_nodes_that_go_runs_again_when_there_are_nodes(bai):
    bai.context(slots=3)
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    command = f"echo run; read x < {gate}; echo $x"
    bai.run("apply", "-d", bai.write(bai.custom("moved", command, nodeCount=2), scale=2))
    bai.run("wait", "moved", "--for", "running")
    until(lambda: bai.run("logs", "moved").stdout, "its first words")
    said = bai.run("scale", "cluster/c", "--nodes", "1")
    assert said.stdout == "cluster/c scaled from 2 to 1 nodes: 1 idle\n"
    ended = "the job test/moved runs on nodes of cluster c that go: it is ended and queued again"
    assert (
        said.stderr
        == f"note: {ended}\nwaits for nodes that go, with moved; --detach does not wait\n"
    )
    assert job_json(bai, "moved")["executionState"] == "queued"
    assert (
        "waits for 2 nodes: cluster c has only 1 now" in bai.run("describe", "job", "moved").stdout
    )
    assert states(bai) == {0: ("idle", None)}
    bai.run("scale", "c", "--nodes", "3")
    until(lambda: bai.run("logs", "moved").stdout.count("run") == 2, "its second run")
    assert states(bai) == {
        0: ("running", "moved"),
        1: ("running", "moved"),
        2: ("idle", None),
    }
    gate.write_text("done\n")
    bai.run("wait", "moved")
    assert bai.run("logs", "moved").stdout == "run\nrun\ndone\n"
    events = bai.run("describe", "job", "moved").stdout
    assert events.count("state   running") == 2


def test_nodes_that_leave_wait_for_their_job(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    bai.run("apply", "-d", bai.write(bai.custom("last", f"read x < {gate}", nodeCount=2), scale=2))
    bai.run("wait", "last", "--for", "running")
    option = ("--deallocation", "waitForJobCompletion")
    said = bai.run("scale", "c", "--nodes", "1", "--detach", *option)
    assert said.stdout == "cluster/c scaled from 2 to 1 nodes: 1 running, 1 leaving\n"
    cluster = json.loads(bai.run("get", "cluster", "c", "-o", "json").stdout)["properties"]
    assert cluster["allocationState"] == "resizing"
    assert cluster["nodeStateCounts"]["leavingNodeCount"] == 1
    gate.write_text("go\n")
    bai.run("wait", "last")
    until(lambda: states(bai) == {0: ("idle", None)}, "the end of the leaving node")


def test_a_wait_for_nodes_can_be_interrupted_and_they_go_all_the_same(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    bai.run("apply", "-d", bai.write(bai.custom("last", f"read x < {gate}", nodeCount=2), scale=2))
    bai.run("wait", "last", "--for", "running")
    with bai.start(
        "scale", "c", "--nodes", "1", "--deallocation", "waitForJobCompletion"
    ) as scaled:
        said = scaled.stderr.readline()
        assert said == "waits for nodes that go, with last; --detach does not wait\n"
        scaled.send_signal(signal.SIGINT)
        said = scaled.stderr.read()
    assert scaled.returncode == 130
    assert said == "the cluster goes on changing: `bai get nodes` shows how far it is\n"
    gate.write_text("go\n")
    until(lambda: states(bai) == {0: ("idle", None)}, "the end of the leaving node")


def test_terminated_with_its_nodes(bai):
    bai.run("apply", "-d", bai.write(bai.custom("ended", "sleep 600", nodeCount=2), scale=2))
    bai.run("wait", "ended", "--for", "running")
    bai.run("scale", "c", "--nodes", "0", "--deallocation", "terminate")
    bai.run("wait", "ended", code=1)
    assert job_json(bai, "ended")["executionInfo"]["errors"][0]["code"] == "JobNodeRemoved"
    assert states(bai) == {}


def test_what_can_not_be_scaled_is_refused(bai):
    bai.run("apply", bai.write(bai.custom("short", "true"), scale=1))
    assert "there is no cluster 'x'" in bai.run("scale", "x", "--nodes", "1", code=2).stderr
    said = bai.run("scale", "c", "--nodes", "1", "--deallocation", "gone", code=2).stderr
    assert "waitForJobCompletion" in said
    said = bai.run("scale", "c", "--nodes", "500", code=2).stderr
    assert "the cluster would have 500 nodes, and this machine has" in said
    assert "help: ask for" in said
    assert states(bai) == {0: ("idle", None)}
