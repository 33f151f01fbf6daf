"""Ctrl-C at moments when it is easily missed: early, in the middle of a step, and twice."""

import fcntl
import json
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

AT_A_STEP = """\
import os, signal, sys
from bai.experiment import Experiment
from bai.cli.main import main
begun = Experiment.steps

def interrupted(*arguments, **more):
    for step in begun(*arguments, **more):
        if step.change.resource.id.name == {name!r}:
            for _ in range({times}):
                os.kill(os.getpid(), signal.SIGINT)
        yield step

Experiment.steps = interrupted
sys.argv = ["bai", "apply", "experiment.yaml"]
main()
"""


def interrupted_at(bai, name, times=1):
    """Apply the spec and press Ctrl-C while a resource is made."""
    return subprocess.run(
        [sys.executable, "-c", AT_A_STEP.format(name=name, times=times)],
        cwd=bai.folder,
        env=bai.environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("times", [1, 2])
def test_the_jobs_that_were_started_are_named(bai, times):
    bai.write(bai.custom("one", "true") + bai.custom("two", "true"))
    done = interrupted_at(bai, "one", times)
    assert (done.returncode, done.stderr) == (130, "")
    assert done.stdout.splitlines()[-5:] == [
        "job/one created",
        "not all was done: the same command does the rest",
        "detached: the job goes on",
        "  reattach  bai logs -f one",
        "  cancel    bai cancel one",
    ]
    assert bai.run("get", "jobs", "-o", "name").stdout == "job/one\n"
    bai.run("apply", "experiment.yaml")
    assert bai.run("get", "jobs", "-o", "name").stdout == "job/one\njob/two\n"


def test_members_of_a_sweep_are_named_by_it(bai):
    job = bai.custom("train", "sleep 600").rstrip("\n")
    bai.write(f"{job}\n      sweep: {{grid: {{environment.SEED: [1, 2]}}}}\n")
    compiled = json.loads(bai.run("compile", "experiment.yaml").stdout)
    member = next(each["name"] for each in compiled if each["type"].endswith("/jobs"))
    done = interrupted_at(bai, member)
    assert (done.returncode, done.stderr) == (130, "")
    assert done.stdout.splitlines()[-5:] == [
        "sweep/train begun (1 job created, of 2 jobs)",
        "not all was done: the same command does the rest",
        "detached: the job goes on",
        "  wait      bai wait sweep/train",
        "  cancel    bai cancel sweep/train",
    ]


def test_where_no_job_was_started_that_is_said(bai):
    bai.write(bai.custom("one", "true"))
    done = interrupted_at(bai, "c")
    assert (done.returncode, done.stderr) == (130, "")
    assert done.stdout.splitlines()[-1] == "interrupted: nothing was started"
    assert bai.run("get", "jobs", "-o", "name").stdout == ""


def test_a_wait_for_another_command_can_be_interrupted(bai):
    bai.run("apply", bai.write(bai.custom("one", "true")))
    spec = bai.write(bai.custom("one", "true") + bai.custom("two", "true"))
    bai.environment["PYTHONUNBUFFERED"] = "1"
    with (bai.folder / ".bai/plan.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = bai.start("apply", spec, "--rerun")
        assert "run again" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out.splitlines()[-1], errors) == ("interrupted: nothing was started", "")


WHILE_DETACHING = """\
import os, signal, sys
from bai.cli import follow
from bai.cli.main import main
print_detached = follow.print_detached

def interrupted(*arguments):
    os.kill(os.getpid(), signal.SIGINT)
    print_detached(*arguments)

follow.print_detached = interrupted
sys.argv = ["bai", "apply", "experiment.yaml"]
main()
"""


def test_a_second_ctrl_c_does_not_hide_how_to_come_back(bai):
    bai.write(bai.custom("long", "echo begun; sleep 600"))
    process = replace(bai, command=[sys.executable, "-c", WHILE_DETACHING]).start()
    while "begun" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert out.endswith("  reattach  bai logs -f long\n  cancel    bai cancel long\n")


IN_AN_IMPORT = """\
import os, signal, sys, time
for _ in range(2):
    os.kill(os.getpid(), signal.SIGINT)
time.sleep(60)
"""


@pytest.mark.parametrize("module", ["typer", "bai_unknown"])
def test_ctrl_c_during_imports(bai, module):
    (bai.folder / "typer").mkdir()
    (bai.folder / "typer/__init__.py").write_text(IN_AN_IMPORT)
    done = bai.run("apply", "experiment.yaml", env={"PYTHONPATH": str(bai.folder)}, code=130)
    assert (done.stdout, done.stderr) == ("", "")


def test_ctrl_c_is_ignored_where_a_shell_has_bai_ignore_it(bai):
    spec = bai.write(bai.custom("one", "echo begun; sleep 1; echo over"))

    def ignore():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    process = subprocess.Popen(
        [*bai.command, "apply", spec],
        cwd=bai.folder,
        env=bai.environment,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=ignore,
    )
    while "begun" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    assert "over" in process.communicate(timeout=60)[0]
    assert process.returncode == 0
