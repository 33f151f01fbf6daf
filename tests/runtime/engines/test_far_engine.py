"""The engine for tests that runs nodes behind agents: what they see, and what ends with them."""

import json
import os
import signal
import time
from pathlib import Path

import pytest
from engines import ENGINES
from watching import gone, job_json, supervisors, until


@pytest.fixture
def engine():
    found = ENGINES["far"]
    if reason := found.missing():
        pytest.skip(reason)
    return found


SEEN = """
import json, os, sys, time
print(json.dumps([sorted(os.listdir(sys.argv[1])), sorted(os.environ), time.monotonic()]))
"""


def test_nodes_see_only_what_is_shared_and_have_clocks_of_their_own(bai):
    state, script = bai.folder / ".bai", bai.folder / "seen.py"
    script.write_text(SEEN)
    text = bai.custom("seen", f"python {script} {state}")
    bai.run("apply", bai.write(text), env={"SUBMITTED": "here"})
    assert (state / "state.db").exists()
    listed, variables, clock = json.loads(bai.run("logs", "seen").stdout)
    assert listed == ["fileservers", "jobs", "nodes", "storage"]
    assert "SUBMITTED" not in variables
    assert "PYTHONPATH" not in variables
    assert clock > time.monotonic() + 900


def test_a_node_whose_agent_is_killed_is_named(bai):
    pid = bai.folder / "pid"
    command = f"echo $PPID > {pid}; sleep 600"
    bai.run("apply", "-d", bai.write(bai.custom("job", command)))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    os.kill(int(pid.read_text()), signal.SIGKILL)
    bai.run("wait", "job", code=1)
    (error,) = job_json(bai, "job")["executionInfo"]["errors"]
    assert error["code"] == "JobNodeLost"
    assert error["message"].startswith("Node host0 of the job was lost: ")


def test_ranks_behind_agents_end_with_supervisor_and_guardian(bai):
    pid = bai.folder / "pid"
    bai.run("apply", "-d", bai.write(bai.custom("job", f"echo $$ > {pid}; sleep 600")))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    (found,) = until(lambda: supervisors(bai.folder / ".bai"), "the supervisor").values()
    for each in found:
        os.kill(each, signal.SIGKILL)
    assert gone(int(pid.read_text()))
    bai.run("wait", "job", code=1)
    agents = [
        entry
        for entry in Path("/proc").glob("[0-9]*/cmdline")
        if str(bai.folder).encode() in _read(entry)
    ]
    assert agents == []


def _read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""
