"""What is left of a run is found, whatever it did to hide."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from watching import until

from bai.runtime.node import cgroups, processes
from bai.runtime.node.leftovers import end_leftovers

# A supervisor whose process hides: a session of its own, no parent, an empty environment.
HIDE = """
import os, subprocess, sys, time
from pathlib import Path
from bai.runtime.node import cgroups, leftovers, processes
folder, name, group = sys.argv[1:]
if group == "record":
    cgroups.make = lambda *_: None
processes.become_subreaper()
leftovers.RECORD_SECONDS = 0
enclosure = leftovers.Enclosure(Path(folder), 1, name)
hide = f"setsid env -i sh -c 'echo $$ > {folder}/hidden; exec sleep 600' &"
subprocess.run(["sh", "-c", hide], check=True)
while not Path(folder, "hidden").exists() or not Path(folder, "hidden").read_text():
    pass
enclosure.record()
print(flush=True)
sys.stdin.read()
enclosure.leave()
"""


@pytest.fixture(params=["group", "record"])
def handle(request, tmp_path):
    """What the hidden process is found by."""
    if request.param == "group":
        group = cgroups.make(f"bai-test-{tmp_path.name}")
        if group is None:
            pytest.skip("no control group can be made here")
        cgroups.remove(group)
    return request.param


@pytest.fixture
def supervisor(tmp_path, handle):
    argv = [sys.executable, "-c", HIDE, str(tmp_path), tmp_path.name, handle]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"\n"
        yield process
        process.kill()
        end_leftovers(tmp_path, 1, "NO=1")


def hidden(folder):
    return int((folder / "hidden").read_text())


def is_gone(pid):
    return processes.start_time(pid) is None


def test_a_hidden_process_is_ended_though_supervisor_and_guardian_are_killed(
    supervisor, tmp_path, handle
):
    pid = hidden(tmp_path)
    assert processes.marked("NO=1") == []
    supervisor.kill()
    supervisor.wait()
    assert not is_gone(pid)
    found = end_leftovers(tmp_path, 1, "NO=1")
    assert is_gone(pid)
    # A record may have missed one; a group can't.
    assert (found.complete, found.survivors) == (handle == "group", ())
    assert not list(Path("/sys/fs/cgroup").glob(f"**/bai-{tmp_path.name}-1"))


def test_a_supervisor_that_leaves_in_order_leaves_no_handle(supervisor, tmp_path):
    pid = hidden(tmp_path)
    os.kill(pid, signal.SIGKILL)
    until(lambda: is_gone(pid), "its end")
    supervisor.stdin.close()
    assert supervisor.wait(60) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hidden"]
    assert not list(Path("/sys/fs/cgroup").glob(f"**/bai-{tmp_path.name}-1"))


def test_a_process_that_took_over_a_recorded_number_is_left_alone(tmp_path):
    with subprocess.Popen(["sleep", "600"]) as other:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        (tmp_path / "processes-1.json").write_text(json.dumps([boot, [[other.pid, 1]]]))
        assert not end_leftovers(tmp_path, 1, "NO=1").complete
        assert other.poll() is None
        other.kill()


def test_a_record_of_another_boot_is_none(tmp_path):
    with subprocess.Popen(["sleep", "600"]) as other:
        since = processes.start_time(other.pid)
        (tmp_path / "processes-1.json").write_text(f'["other", [[{other.pid}, {since}]]]')
        end_leftovers(tmp_path, 1, "NO=1")
        assert other.poll() is None
        other.kill()


def test_without_the_right_to_make_groups_there_is_none(tmp_path):
    (tmp_path / "cgroup").write_text("0::/\n")
    (tmp_path / "mountinfo").write_text(f"1 1 0:1 / {tmp_path}/none rw - cgroup2 x rw\n")
    assert cgroups.make("x", tmp_path) is None
    (tmp_path / "mountinfo").write_text(f"1 1 0:1 /a {tmp_path} rw shared:1 - cgroup2 x rw\n")
    (tmp_path / "cgroup").write_text("5:cpu:/\n0::/a/b\n")
    (tmp_path / "b").mkdir()
    assert cgroups.make("x", tmp_path) == tmp_path / "b/x"
    (tmp_path / "cgroup").write_text("5:cpu:/\n")
    assert cgroups.make("x", tmp_path) is None
