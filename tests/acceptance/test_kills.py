"""Fixed cases of what the chaos (`make chaos`) does at random."""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from chaos.processes import GUARDIAN, SUPERVISOR, of_world
from watching import gone, job_json, until

CHILDREN = {
    "plain": "sleep 300 & echo $! >> {pids};",
    "detached": "setsid sleep 300 & echo $! >> {pids};",
    # It shares nothing with its job: no parent, no session, no variable, no stream.
    "bare": "(setsid env -i sh -c 'echo $$ >> {pids}; exec sleep 300' <&- >&- 2>&- &);",
}


def behind(bai):
    """Return the processes that run jobs."""
    found = of_world("no mark", bai.folder / ".bai", [])
    return [process for process in found if process.role in (SUPERVISOR, GUARDIAN)]


def alive(pids):
    """Return which processes have not ended, whether anybody has waited for them or not."""
    found = []
    for pid in pids:
        with suppress(FileNotFoundError):
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            found += [pid] if state not in "XZ" else []
    return found


def kill_together(processes):
    """Kill processes so that none of them can do anything about the others' end."""
    for process in processes:
        process.send(signal.SIGSTOP)
    for process in processes:
        process.send(signal.SIGKILL)


def start(bai, child):
    """Start a job whose shell has a child; return their process ids."""
    pids = bai.folder / "pids"
    line = CHILDREN[child].replace("{pids}", str(pids))
    command = f"{line} echo $$ >> {pids}; read x < /dev/zero"
    bai.run("apply", "-d", bai.write(bai.custom("killed", command)))
    until(lambda: pids.exists() and len(pids.read_text().split()) == 2, "both processes")
    return list(map(int, pids.read_text().split()))


@pytest.mark.parametrize("child", CHILDREN)
def test_nothing_is_left_when_all_that_stood_behind_a_job_is_killed_at_once(bai, child):
    pids = start(bai, child)
    kill_together(behind(bai))
    # This command finds it, ends what is left and records the end.
    info = job_json(bai, "killed")["executionInfo"]
    left = alive(pids)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert info["errors"][0]["code"] == "JobSupervisorLost"
    assert left == []


@pytest.mark.parametrize("child", CHILDREN)
def test_nothing_is_left_when_the_supervisor_is_killed(bai, child):
    pids = start(bai, child)
    kill_together([process for process in behind(bai) if process.role == SUPERVISOR])
    bai.run("wait", "killed", code=1)
    assert alive(pids) == []
    info = job_json(bai, "killed")["executionInfo"]
    assert info["errors"][0]["code"] == "JobSupervisorLost"


@pytest.mark.parametrize("child", CHILDREN)
def test_a_killed_guardian_changes_nothing(bai, child):
    pids = start(bai, child)
    kill_together([process for process in behind(bai) if process.role == GUARDIAN])
    assert job_json(bai, "killed")["executionState"] == "running"
    bai.run("cancel", "killed")
    assert all(map(gone, pids))
    info = job_json(bai, "killed")["executionInfo"]
    assert info["errors"][0]["code"] == "JobTerminated"


WITHOUT_PROGRAM = """\
import os, sys
os.unlink(sys.executable)
from bai.cli.main import main
main()
"""


@pytest.fixture
def bai_without_program(bai, tmp_path_factory):
    """A bai whose interpreter vanishes before it can start a supervisor with it."""
    program = tmp_path_factory.mktemp("venv") / "bin/python"
    program.parent.mkdir()
    base = Path(sys._base_executable)
    program.parent.with_name("pyvenv.cfg").write_text(f"home = {base.parent}\n")
    program.symlink_to(base)
    path = os.pathsep.join(filter(None, [bai.environment.get("PYTHONPATH"), *sys.path]))
    return type(bai)(
        bai.folder,
        bai.environment | {"PYTHONPATH": path},
        [str(program), "-c", WITHOUT_PROGRAM],
        bai.engine,
    )


def test_a_supervisor_whose_program_is_missing(bai, bai_without_program):
    """The job stays queued, and the next command starts it."""
    spec = bai.write(bai.custom("late", "echo started"))
    done = bai_without_program.run("apply", "-d", spec)
    assert "job/late created" in done.stdout
    assert "late" in bai.run("get").stdout
    bai.run("wait", "late")
    assert bai.run("logs", "late").stdout == "started\n"
