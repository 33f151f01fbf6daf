"""Commands that take several names: all are looked up before the first is acted on."""

import os
import subprocess

import pytest


@pytest.fixture
def waiting(bai):
    """Return the gates of two jobs that run, `a` and `b`; a third one, `c`, is queued."""
    gates = {name: bai.folder / f"gate-{name}" for name in "abc"}
    jobs = ""
    for (name, gate), priority in zip(gates.items(), ("high", "normal", "low"), strict=True):
        os.mkfifo(gate)
        jobs += bai.custom(name, f"read x < {gate}", priority=priority)
    bai.run("apply", "-d", bai.write(jobs))
    bai.run("wait", "a", "b", "--for", "running")
    return gates


def states(bai):
    table = bai.run("get").stdout.splitlines()
    return {line.split()[0]: line.split()[5] for line in table[1:]}


def test_several_jobs_are_cancelled_and_none_if_one_does_not_exist(bai, waiting):
    before = states(bai)
    refused = bai.run("cancel", "a", "none", "c", code=2)
    assert refused.stderr.startswith("error: there is no job 'none'")
    assert (refused.stdout, states(bai)) == ("", before)
    done = bai.run("cancel", "a", "c", "test/a")
    assert done.stdout == "job/a cancelled\njob/c cancelled\n"
    assert states(bai) == {"a": "cancelled", "b": "running", "c": "cancelled"}
    # The queued one has not started when the other one ended.
    assert not any(event.split()[2] == "phase" for event in events(bai, "c"))
    ended = bai.run("cancel", "a", "b").stdout
    assert ended == "job/a has ended already (cancelled)\njob/b cancelled\n"


def events(bai, job):
    shown = bai.run("describe", "job", job).stdout.partition("\nattempt 1")[2]
    return shown.splitlines()[1:]


def test_several_jobs_are_awaited_with_one_limit(bai, waiting):
    missing = bai.run("wait", "a", "none", code=2)
    assert missing.stdout == ""
    late = bai.run("wait", "a", "b", "c", "--timeout", "0.2", code=2)
    assert [line.partition(" is still")[0] for line in late.stderr.splitlines()] == [
        "error: the job a",
        "error: the job b",
        "error: the job c",
    ]
    assert late.stderr.count("after 0.2s") == 3
    bai.run("cancel", "c")
    # What has ended is reported although another one is late.
    late = bai.run("wait", "a", "c", "--timeout", "0", code=2)
    assert late.stdout == "job/c cancelled\n"
    waiter = bai.start("wait", "a", "b")
    for name in "ab":
        waiting[name].write_text("go\n")
    said, _ = waiter.communicate(timeout=60)
    assert said == "job/a succeeded, exit code 0\njob/b succeeded, exit code 0\n"
    assert waiter.returncode == 0
    done = bai.run("wait", "a", "c", code=1)
    assert done.stdout == "job/a succeeded, exit code 0\njob/c cancelled\n"


def test_several_resources_are_deleted_and_none_if_one_does_not_exist(bai, waiting):
    for name in "ab":
        waiting[name].write_text("go\n")
    bai.run("wait", "a", "b")
    refused = bai.run("delete", "job", "a", "none", code=2, stdin=subprocess.DEVNULL)
    assert (refused.stdout, list(states(bai))) == ("", ["a", "b", "c"])
    running = bai.run("delete", "job", "a", "c", code=2, stdin=subprocess.DEVNULL)
    assert running.stderr.startswith("error: job/c is ")
    assert list(states(bai)) == ["a", "b", "c"]
    done = bai.run("delete", "job", "a", "c", "a", "--yes")
    assert done.stdout == "job/a deleted\njob/c deleted\n"
    assert "which of" not in bai.run("delete", "job", code=2).stderr
    no_kind = bai.run("delete", "job/b", "c", code=2).stderr
    assert "there is no kind 'c'" in no_kind
    # The job goes with its experiment, and before its cluster.
    done = bai.run("delete", "cluster/c", "job/b", "experiment/test")
    assert done.stdout == "experiment/test deleted\ncluster/c deleted\n"
