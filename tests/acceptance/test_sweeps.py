"""Sweeps: one job that becomes many, of which some run at once."""

import json

import pytest
from watching import gone, until

SPEC = """apiVersion: bai/v1
kind: Experiment
metadata: {name: search}
spec:
  parameters: {lr: 0.1}
  jobs:
    train:
      custom: {command: "COMMAND"}
      sweep:
        grid: {lr: LR, environment.SEED: {from: 1, to: 2}}
        SETTINGS
"""


@pytest.fixture
def sweep(bai):
    """Write the spec of a sweep; returns its path."""
    bai.context(slots=8)

    def write(command, lr="[0.1, 0.01]", settings=""):
        text = SPEC.replace("COMMAND", command).replace("LR", lr).replace("SETTINGS", settings)
        path = bai.folder / "experiment.yaml"
        path.write_text(text)
        return path

    return write


def jobs(bai):
    """Return name -> (state, point of the sweep) of all jobs."""
    found = json.loads(bai.run("get", "jobs", "-o", "json").stdout)
    return {
        each["name"]: (
            each["properties"]["executionState"],
            {v["name"]: v["value"] for v in each["properties"]["environmentVariables"]}[
                "BAI_SWEEP_MEMBER"
            ],
        )
        for each in found
    }


def test_each_member_runs_with_its_values(bai, sweep):
    spec = sweep("echo ${parameters.lr} $SEED $BAI_SWEEP")
    shown = bai.run("diff", spec, code=1).stdout
    assert "+ sweep/train  4 jobs\n" in shown
    assert shown.count("create: environment.SEED=") == 4
    bai.run("apply", "-d", spec)
    for name, (_, point) in jobs(bai).items():
        values = json.loads(point)
        bai.run("wait", name)
        line = f"{values['lr']} {values['environment.SEED']} train\n"
        assert bai.run("logs", name).stdout == line


def test_no_more_members_run_at_once_than_the_sweep_allows(bai, sweep):
    gate = bai.folder / "gate"
    gate.mkdir()
    command = (
        f"touch {gate}/$SEED-${{parameters.lr}}; until [ -e {bai.folder}/go ]; do sleep 0.1; done"
    )
    spec = sweep(command, settings="concurrency: 2")
    assert "+ sweep/train  4 jobs, 2 at once\n" in bai.run("diff", spec, code=1).stdout
    said = bai.run("apply", "-d", spec).stdout.splitlines()
    ways = [line for line in said if "`" in line]
    assert ways == ["wait for it with `bai wait sweep/train`, end it with `bai cancel sweep/train`"]
    until(lambda: len(list(gate.iterdir())) == 2, "the first two members")
    states = sorted(state for state, _ in jobs(bai).values())
    assert states == ["queued", "queued", "running", "running"]
    waits = bai.run("get", "jobs", env={"COLUMNS": "200"}).stdout
    assert waits.count("a place in the sweep train (2 at once)") == 2
    # Changing the settings changes no job.
    wider = sweep(command, settings="concurrency: 3")
    shown = bai.run("diff", wider, code=1).stdout
    assert "~ concurrency: 2 -> 3" in shown
    assert "job/" not in shown
    bai.run("apply", "-d", "-y", wider)
    until(lambda: len(list(gate.iterdir())) == 3, "the third member")
    (bai.folder / "go").touch()
    assert bai.run("wait", "sweep/train").stdout == "sweep/train: 4 succeeded\n"
    assert len(list(gate.iterdir())) == 4


def test_a_grown_grid_starts_only_the_new_members(bai, sweep):
    bai.run("apply", sweep("echo ${parameters.lr}"))
    before = jobs(bai)
    said = bai.run("apply", sweep("echo ${parameters.lr}", lr="[0.1, 0.01, 0.001]")).stdout
    assert "sweep/train configured (2 jobs created, 4 unchanged: 4 succeeded)\n" in said
    after = jobs(bai)
    assert len(after) == 6
    assert before.items() <= after.items()


def test_a_sweep_ends_after_failures(bai, sweep):
    spec = sweep(
        "echo ${parameters.lr}; exit 3", settings="concurrency: 1\n        stopAfterFailures: 2"
    )
    bai.run("apply", spec, code=1)
    events = [bai.run("describe", "job", name).stdout for name in jobs(bai)]
    assert sum("exit code 3" in each for each in events) == 2
    assert sum("not started: 2 jobs have failed in the sweep train" in each for each in events) == 2


REPORTING = """import os, sys, time
from bai.metrics import report
seed, folder = int(os.environ["SEED"]), sys.argv[1]
if seed < 4:
    report(step=1, loss=1)
    report(step=10**9, loss=1)
    while not os.path.exists(f"{folder}/go"):
        time.sleep(0.05)
else:
    print(os.getpid(), file=open(f"{folder}/worst", "w"))
    for step in range(10**6):
        report(step=step, loss=9)
        time.sleep(0.05)
"""


def test_a_member_that_does_worse_is_stopped_early_without_any_command(bai, sweep):
    (bai.folder / "train.py").write_text(REPORTING)
    settings = """concurrency: 4
        objective: {metric: loss, goal: minimize}
        earlyStopping: {rule: median}"""
    spec = sweep(f"python {bai.folder}/train.py {bai.folder}", settings=settings)
    text = spec.read_text().replace("lr: [0.1, 0.01], ", "").replace("to: 2", "to: 4")
    spec.write_text(text.replace("parameters: {lr: 0.1}", ""))
    bai.run("apply", "-d", spec)
    worst = bai.folder / "worst"
    pid = int(
        until(
            lambda: worst.exists() and worst.read_text().endswith("\n") and worst.read_text(),
            "its pid",
        )
    )
    assert gone(pid)
    (bai.folder / "go").touch()
    assert bai.run("wait", "sweep/train").stdout == "sweep/train: 3 succeeded, 1 stopped early\n"
    name = next(
        name
        for name, (_, point) in jobs(bai).items()
        if json.loads(point) == {"environment.SEED": 4}
    )
    said = bai.run("describe", "job", name).stdout
    assert "stopped early at step" in said
    assert "its best loss, 9, is worse than 1, the median of 3 other jobs" in said
    # It is not to be run again, as one that failed.
    assert bai.run("diff", spec).stdout == "7 unchanged\n"
