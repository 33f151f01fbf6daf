"""Real Horovod on two ranks: what comes out, and whom the job blames."""

import json
import os
import subprocess
import sys
from functools import cache

import pytest
from watching import job_json

from bai.runtime.node.cores import shares, usable_cores

pytestmark = pytest.mark.horovod

HEAD = "import horovod.torch as hvd, os, signal, sys, time, torch\nhvd.init()\n"
SUM = "print(hvd.allreduce(torch.tensor([hvd.rank() + 1.0]), op=hvd.Sum).item(), flush=True)\n"
RAISES = (
    "for step in range(20):\n"
    "    hvd.allreduce(torch.ones(10), name='a')\n"
    "    if step == 5 and hvd.rank() == 1:\n"
    "        raise ValueError('at fault')\n"
)
CRASHES = "hvd.rank() == 1 and os.kill(os.getpid(), signal.SIGSEGV)\ntime.sleep(600)\n"


@pytest.fixture(params=["gloo", "mpirun"])
def launcher(request, bai):
    if request.param == "mpirun":
        request.getfixturevalue("needs_mpirun")
    bai.context(slots=2, launcher=request.param)
    return request.param


@cache
def horovod_has_mpi():
    script = "import horovod.torch, sys; sys.exit(not horovod.torch.mpi_built())"
    return subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.fixture
def ranks_that_meet(launcher):
    """A launcher under which Horovod's ranks find each other."""
    if launcher == "mpirun" and not horovod_has_mpi():
        pytest.skip("Horovod was built without MPI (make setup, once mpicxx is installed)")


def job_of(bai, script, **keys):
    (bai.folder / "script.py").write_text(script)
    more = "".join(f"      {key}: {value}\n" for key, value in keys.items())
    return bai.write(
        "    train:\n      nodeCount: 2\n      mounts: {r: azureFile:r, code: 'file:.'}\n"
        f"{more}      logs: ${{mounts.r}}\n"
        "      horovod: {script: '${mounts.code}/script.py'}\n"
    )


def info(bai):
    return job_json(bai, "train")["executionInfo"]


def log(bai, name):
    (path,) = bai.storage.rglob(name)
    return path.read_text()


def test_ranks_add_up_and_their_lines_carry_labels(bai, ranks_that_meet):
    bai.run("apply", job_of(bai, HEAD + SUM))
    lines = log(bai, "stdout.txt").splitlines()
    assert sorted(lines) == ["[0]<stdout>: 3.0", "[1]<stdout>: 3.0"]


BOUND = "import os\nprint(sorted(os.sched_getaffinity(0)), flush=True)\n"


def cpus_of_ranks(bai):
    lines = sorted(log(bai, "stdout.txt").splitlines())
    return [set(json.loads(line.partition(": ")[2])) for line in lines]


def test_each_rank_has_its_share_of_the_cores(bai, launcher):
    spec = job_of(bai, BOUND)
    if not bai.engine.is_one_machine:
        text = spec.read_text().replace("nodeCount: 2", "nodeCount: 1")
        spec.write_text(text.replace("horovod: {", "horovod: {processCount: 2, "))
    bai.run("apply", spec)
    assert cpus_of_ranks(bai) == shares(usable_cores(), 2)


def test_ranks_that_are_not_bound(bai, launcher):
    bai.context(slots=2, launcher=launcher, bind_to="none")
    bai.run("apply", job_of(bai, BOUND))
    assert cpus_of_ranks(bai) == [os.sched_getaffinity(0)] * 2


def test_the_rank_that_raised_is_named_and_not_the_one_that_noticed(bai, ranks_that_meet):
    bai.run("apply", job_of(bai, HEAD + RAISES), code=1)
    (error,) = info(bai)["errors"]
    assert error["details"] == [{"name": "failedFirst", "value": "rank 1"}]
    assert "[1]<stderr>: ValueError: at fault" in log(bai, "stderr.txt").splitlines()


def test_the_rank_that_crashed_is_named_with_its_signal(bai, ranks_that_meet):
    bai.run("apply", job_of(bai, HEAD + CRASHES), code=1)
    assert info(bai)["exitCode"] == 139
    said = log(bai, "stderr.txt").splitlines()
    assert not [line for line in said if line.endswith(("Terminated", "Segmentation fault"))]
    assert "rank 1 failed first with exit code 139 (SIGSEGV)" in info(bai)["errors"][0]["message"]


def test_an_interpreter_without_horovod_is_named_with_the_way_out(bai, tmp_path_factory):
    python = tmp_path_factory.mktemp("bare") / "python"
    # Isolated, so that it sees no packages of the environment that the tests run in.
    python.write_text(f'#!/bin/sh\nexec {sys._base_executable} -I -S "$@"\n')
    python.chmod(0o755)
    bai.context(slots=2, python=python)
    done = bai.run("apply", job_of(bai, HEAD), code=1)
    assert info(bai)["errors"][0]["code"] == "JobLaunchFailed"
    assert f"{python} -m pip install" in done.stdout


def test_a_preparation_may_install_horovod(bai, tmp_path_factory):
    """The rendezvous server starts before the preparation has run, and once more after it."""
    folder = tmp_path_factory.mktemp("late")
    python = folder / "python"
    python.write_text(
        f'#!/bin/sh\nif [ -e {folder}/ready ]; then exec {sys.executable} "$@"; fi\n'
        "echo \"ModuleNotFoundError: No module named 'horovod'\" >&2; exit 1\n"
    )
    python.chmod(0o755)
    bai.context(slots=2, python=python)
    bai.run("apply", job_of(bai, HEAD + SUM, preparation=f"touch {folder}/ready"))
    assert "[0]<stdout>: 3.0" in log(bai, "stdout.txt").splitlines()


def test_the_timeline_of_a_job_is_an_output(bai):
    script = HEAD + "for _ in range(5):\n    hvd.allreduce(torch.ones(10), name='gradient')\n"
    spec = job_of(bai, script)
    spec.write_text(spec.read_text().replace("script.py'}", "script.py', timeline: true}"))
    said = bai.run("apply", spec).stdout
    assert "bai storage cp -r job:train/TIMELINE ." in said
    text = bai.run("storage", "cp", "job:train/TIMELINE/timeline.json", "-").stdout
    events = json.loads(text)
    names = {event.get("name") for event in events if event}
    assert "ALLREDUCE" in names
    assert {"gradient" in event.get("args", {}).get("name", "") for event in events} == {
        True,
        False,
    }
