"""A cluster's setup task: once for each new node, with its logs, before the node has jobs."""

import json
import os
import signal
from pathlib import Path

import pytest
from watching import gone, job_json, until


def spec(bai, command, *jobs, scale=2, **task):
    """Write a spec whose cluster has a setup task."""
    path = bai.write("\n".join(jobs), scale=scale)
    keys = "".join(f", {key}: {value}" for key, value in task.items())
    setup = f"setupTask: {{command: {json.dumps(command)}, logs: '${{mounts.r}}'{keys}}}"
    cluster = f"scale: {scale}, mounts: {{r: azureFile:r}}, {setup}}}"
    text = path.read_text().replace(f"scale: {scale}}}", cluster)
    path.write_text(text if jobs else text.removesuffix("  jobs:\n"))
    return path


@pytest.fixture
def bai(bai):
    """bai on a machine of the test's engine that runs setup tasks."""
    bai.context(**{"slots": 4, "setup-task": "run"})
    return bai


def nodes(bai):
    """Return node -> state of all nodes."""
    found = json.loads(bai.run("get", "nodes", "-o", "json").stdout)
    return {each["node"]: each["state"] for each in found}


def logs(bai, name):
    """Return the text of the logs of a name."""
    return [path.read_text() for path in bai.storage.rglob(name)]


def kept(bai):
    """Return what is kept of nodes and of clusters."""
    folder = bai.folder / ".bai"
    return sorted(path.name for name in ("nodes", "clusters") for path in folder.glob(f"{name}/*"))


def line(path):
    """Return the process ids that a file has, once it has a line."""
    return until(lambda: path.exists() and path.read_text().endswith("\n") and path, "a line")


def test_it_runs_once_for_each_node_before_jobs_do(bai):
    command = (
        "echo ready $GREETING; echo $AZ_BATCHAI_MOUNT_ROOT >&2; touch $AZ_BATCHAI_MOUNT_ROOT/r/$$"
    )
    job = bai.custom("train", "ls $AZ_BATCHAI_JOB_MOUNT_ROOT/r", nodeCount=2)
    done = bai.run("apply", spec(bai, command, job, environment="{GREETING: hello}"))
    assert "waits for 2 nodes of cluster c: 0 of 2 free, 2 are being prepared" in done.stdout
    assert nodes(bai) == {0: "idle", 1: "idle"}
    for node in (0, 1):
        assert logs(bai, f"stdout-node-{node}.txt") == ["ready hello\n"]
        assert len(logs(bai, f"stderr-node-{node}.txt")) == 1
    # Both files of the setup tasks were there before the job.
    assert sum(name.isdigit() for name in bai.run("logs", "train").stdout.split()) == 2
    cluster = json.loads(bai.run("get", "cluster", "c", "-o", "json").stdout)
    suffix = cluster["properties"]["nodeSetup"]["setupTask"]["stdOutErrPathSuffix"]
    (folder,) = {path.parent for path in bai.storage.rglob("stdout-node-*.txt")}
    assert str(folder).endswith(f"/r/{suffix}")
    assert "/workspaces/local/clusters/c/" in suffix
    bai.run("scale", "c", "--nodes", "3")
    assert nodes(bai) == {0: "idle", 1: "idle", 2: "idle"}
    assert logs(bai, "stdout-node-2.txt") == ["ready hello\n"]
    assert logs(bai, "stdout-node-0.txt") == ["ready hello\n"]


def test_a_node_whose_task_fails_is_unusable_until_it_is_replaced(bai):
    gate = bai.folder / "works"
    command = f"echo no luck >&2; test -e {gate} || exit 3"
    job = bai.custom("train", "true")
    bai.run("apply", "-d", spec(bai, command, job, scale=1))
    until(lambda: nodes(bai) == {0: "unusable"}, "the failure")
    (log,) = bai.storage.rglob("stderr-node-0.txt")
    assert log.read_text() == "no luck\n"
    shown = bai.run("get", "nodes").stdout
    assert "The setup task failed with exit code 3" in shown
    assert str(log) in shown
    (node,) = json.loads(bai.run("get", "nodes", "-o", "json").stdout)
    assert node["errors"][0]["code"] == "SetupTaskFailed"
    (error,) = json.loads(bai.run("get", "cluster", "c", "-o", "json").stdout)["properties"][
        "errors"
    ]
    assert error["message"] == "The setup task failed with exit code 3"
    assert {"name": "log", "value": str(log)} in error["details"]
    assert "1 is unusable" in bai.run("describe", "job", "train").stdout
    gate.touch()
    bai.run("scale", "c", "--nodes", "0")
    bai.run("scale", "c", "--nodes", "1")
    # The job that waited may run by now, or have ended.
    assert nodes(bai)[0] in ("idle", "running")
    bai.run("wait", "train")
    assert log.read_text() == "no luck\n"


def test_secrets_are_those_of_the_command_that_puts_the_cluster(bai):
    command = "test $TOKEN = $EXPECTED && echo right"
    task = {"secrets": "{TOKEN: env:SETUP_TOKEN}", "environment": "{EXPECTED: first}"}
    text = spec(bai, command, scale=1, **task)
    refused = bai.run("apply", text, code=2)
    assert "SETUP_TOKEN is not set" in refused.stderr
    bai.run("apply", text, env={"SETUP_TOKEN": "first"})
    until(lambda: nodes(bai) == {0: "idle"}, "the node")
    # A command that does not know the secret leaves what there is.
    bai.run("scale", "c", "--nodes", "2")
    assert nodes(bai) == {0: "idle", 1: "idle"}
    bai.run("scale", "c", "--nodes", "3", env={"SETUP_TOKEN": "second"})
    assert nodes(bai) == {0: "idle", 1: "idle", 2: "unusable"}
    assert logs(bai, "stdout-node-1.txt") == ["right\n"]
    for path in (bai.folder / ".bai/clusters").rglob("*"):
        assert path.is_dir() or path.stat().st_mode & 0o077 == 0
    bai.run("delete", "cluster", "c", "-y")
    assert kept(bai) == []


@pytest.mark.parametrize("ending", ["scale", "delete"])
def test_a_task_ends_with_its_node(bai, ending):
    pids = bai.folder / "pids"
    command = f"(setsid sleep 300 & echo $! >> {pids}); echo $$ >> {pids}; sleep 300"
    bai.run("apply", spec(bai, command, scale=1))
    until(lambda: pids.exists() and len(pids.read_text().split()) == 2, "both processes")
    assert nodes(bai) == {0: "preparing"}
    if ending == "scale":
        bai.run("scale", "c", "--nodes", "0")
        assert nodes(bai) == {}
    else:
        bai.run("delete", "cluster", "c", "-y")
    assert all(not Path(f"/proc/{pid}").exists() for pid in pids.read_text().split())
    if ending == "delete":
        assert kept(bai) == []


def runners(bai):
    """Return the processes that run setup tasks here."""
    folder = str(bai.folder / ".bai/nodes").encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(word.startswith(folder) for word in words) and b"-P" in words:
            found.append(int(entry.name))
    return sorted(found)


def test_a_task_whose_processes_are_killed_runs_again(bai):
    pids, gate = bai.folder / "pids", bai.folder / "gate"
    os.mkfifo(gate)
    command = f"(setsid sleep 300 & echo $! >> {pids}); echo $$ >> {pids}; read x < {gate}"
    bai.run("apply", spec(bai, command, scale=1))
    until(lambda: pids.exists() and len(pids.read_text().split()) == 2, "both processes")
    first = pids.read_text().split()
    found = until(lambda: runners(bai), "what runs the task")
    for pid in found:
        os.kill(pid, signal.SIGSTOP)
    for pid in found:
        os.kill(pid, signal.SIGKILL)
    assert nodes(bai) == {0: "preparing"}
    assert all(gone(int(pid)) for pid in first)
    until(lambda: len(pids.read_text().split()) == 4, "the second run")
    gate.write_text("go\n")
    until(lambda: nodes(bai) == {0: "idle"}, "the node")
    assert all(gone(int(pid)) for pid in pids.read_text().split())


def test_jobs_that_are_queued_start_when_their_nodes_are_ready(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    text = spec(bai, f"read x < {gate}", bai.custom("train", "echo ran"), scale=1)
    bai.run("apply", "-d", text)
    assert nodes(bai) == {0: "preparing"}
    assert "waits for 1 node of cluster c: 0 of 1 free, 1 is being prepared" in (
        bai.run("describe", "job", "train").stdout
    )
    cluster = json.loads(bai.run("get", "cluster", "c", "-o", "json").stdout)["properties"]
    assert cluster["allocationState"] == "resizing"
    gate.write_text("go\n")
    # No command looks meanwhile.
    until(lambda: logs(bai, "stdout.txt") == ["ran\n"], "the job")
    bai.run("wait", "train")
    assert job_json(bai, "train")["executionState"] == "succeeded"


def test_the_plan_shows_the_line_and_when_it_runs(bai):
    text = spec(bai, "apt-get install -y sox", scale=2)
    shown = bai.run("diff", text, code=1).stdout
    assert "the setup task runs once for each of 2 new nodes of cluster c, " in shown
    assert ": apt-get install -y sox" in shown
    assert "BAI805" not in bai.run("diff", text, code=1).stderr
