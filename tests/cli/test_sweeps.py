"""Sweeps on the command line: what apply and wait say of their members."""

import json

import pytest

SPEC = """apiVersion: bai/v1
kind: Experiment
metadata: {name: search}
spec:
  jobs:
    train:
      custom: {command: COMMAND}
      sweep:
        grid: {environment.SEED: {from: 1, to: COUNT}}
        concurrency: 2
"""


@pytest.fixture
def spec(bai):
    """Write the spec of a sweep; returns its path."""
    bai.context(slots=2)

    def write(count, command="exit $((SEED > 1))", text=SPEC):
        path = bai.folder / "experiment.yaml"
        text = text.replace("COMMAND", json.dumps(command)).replace("COUNT", str(count))
        path.write_text(text)
        return path

    return write


def of_sweep(done):
    return [line for line in done.stdout.splitlines() if line.startswith(("sweep/", "job/"))]


def test_compile_says_how_many_jobs_a_sweep_has(bai, spec):
    done = bai.run("compile", spec(3))
    assert done.stderr == "sweep/train: 3 jobs, 2 at once\n"
    jobs = [each for each in json.loads(done.stdout) if each["type"].endswith("/jobs")]
    assert len(jobs) == 3


def test_files_for_az_have_no_settings_and_that_is_said(bai, spec):
    text = SPEC.replace("    train:", "    train:\n      nodeCount: 1").replace(
        "  jobs:", "  clusters: {c: {vmSize: STANDARD_D2_V2, scale: 1}}\n  jobs:"
    )
    done = bai.run("compile", spec(2, text=text), "-d", "out")
    assert done.stderr.startswith(
        "sweep/train: 2 jobs, 2 at once\n"
        "sweep/train: Batch AI's files can't say concurrency: all jobs start\n"
    )


def test_followed_members_do_not_say_each_what_they_wait_for(bai, spec):
    done = bai.run("apply", spec(4, "sleep 0.1"))
    assert "waits for a place" not in done.stdout
    assert done.stdout.endswith("sweep/train: 4 succeeded; `bai describe sweep train` shows each\n")


def test_a_metric_that_no_script_reports_is_named(bai, spec):
    line = '{"time": 1, "values": {"loss": 1, "accuracy": 2}}'
    command = f"echo '{line}' >> $BAI_METRICS_FILE"
    text = SPEC.rstrip("\n") + "\n        objective: {metric: los, goal: minimize}\n"
    bai.run("apply", spec(1, command, text))
    shown = bai.run("describe", "sweep", "train").stdout
    said = "no job has reported los, but accuracy, loss: is it the metric of objective?\n"
    assert shown.endswith(said)
    spec(1, command, text.replace("los,", "loss,"))
    bai.run("apply", "experiment.yaml")
    assert "no job has reported" not in bai.run("describe", "sweep", "train").stdout


def test_a_sweep_is_told_from_a_job_of_that_name(bai, spec):
    bai.run("apply", spec(1, "true"))
    for command in (["logs", "train"], ["describe", "job", "train"]):
        said = bai.run(*command, code=2).stderr
        assert "train is a sweep, and no job: name one of its jobs" in said


def test_a_sweep_is_one_line_of_apply(bai, spec):
    begun = bai.run("apply", "-d", spec(2))
    assert of_sweep(begun) == ["sweep/train created (2 jobs, 2 at once)"]
    bai.run("wait", "train", code=1)
    again = "sweep/train unchanged (2 jobs: 1 succeeded, 1 failed; --rerun starts new attempts)"
    assert of_sweep(bai.run("apply", "-d", spec(2), code=1)) == [again]
    grown = bai.run("apply", "-d", spec(3), code=1)
    states = "1 succeeded, 1 failed"
    more = f"sweep/train configured (1 job created, 2 unchanged: {states}; 2 at once)"
    assert of_sweep(grown) == [more]
    bai.run("wait", "train", code=1)
    retried = bai.run("apply", "-d", "--rerun", spec(3), code=None)
    assert of_sweep(retried) == ["sweep/train configured (3 jobs started again; 2 at once)"]


def test_programs_get_each_member(bai, spec):
    done = bai.run("apply", "-d", "-o", "name", spec(2))
    names = [line for line in done.stdout.splitlines() if line.startswith("job/")]
    assert len(names) == len(set(names)) == 2
    assert "sweep/train created (2 jobs, 2 at once)\n" in done.stderr


def test_wait_says_which_members_failed_and_why(bai, spec):
    bai.run("apply", "-d", spec(8))
    done = bai.run("wait", "train", code=1)
    assert done.stdout == "sweep/train: 1 succeeded, 7 failed\n"
    *failed, rest = done.stderr.splitlines()
    assert [line.partition(" ")[2] for line in failed[::2]] == [
        f"failed, exit code 1 (environment.SEED={seed})" for seed in range(2, 7)
    ]
    reason = "  JobFailed: Job failed with non-zero exit code: the process failed with exit code 1"
    assert failed[1::2] == [reason] * 5
    assert rest == "and 2 more: `bai describe sweep train` lists all"
    everything = bai.run("describe", "sweep", "train").stdout
    assert everything.count("  failed") == 7


def test_files_that_have_changed_are_said_once_for_all_members(bai, spec):
    mounted = SPEC.replace("      custom", "      mounts: {src: 'file:src'}\n      custom")
    (bai.folder / "src").mkdir()
    script = bai.folder / "src/train.sh"
    script.write_text("true\n")
    path = spec(2, "sh $AZ_BATCHAI_JOB_MOUNT_ROOT/src/train.sh", mounted)
    bai.run("apply", path)
    script.write_text("echo other\n")
    (line,) = of_sweep(bai.run("apply", path))
    assert line == (
        "sweep/train unchanged (2 jobs: 2 succeeded; --rerun starts new attempts); "
        "train.sh in mount src has changed since attempt 1"
    )


def test_views_speak_of_sweep_and_code(bai, spec):
    path = spec(1, "true", SPEC.replace("custom", "code: src\n      custom", 1))
    (bai.folder / "src").mkdir()
    (bai.folder / "src/train.py").write_text("x\n")
    assert (
        "    + sweep: train (member environment.SEED=1)\n" in bai.run("diff", path, code=1).stdout
    )
    bai.run("apply", path)
    (label,) = bai.run("get", "-o", "name").stdout.split()
    shown = bai.run("describe", "job", label.partition("/")[2]).stdout
    assert "\nsweep: train (member environment.SEED=1)\n" in shown
    (code,) = [line for line in shown.splitlines() if line.startswith("code: ")]
    assert code.endswith(" (1 file, 2 bytes)")
    assert "BAI_" not in shown
    assert "\nmounts:\n  logs: azureFile:logs\n" in shown
    (bai.folder / "src/train.py").write_text("xy\n")
    changes = [line for line in bai.run("diff", path, code=1).stdout.splitlines() if "    " in line]
    assert changes == ["    ~ code: 1 file, 2 bytes -> 1 file, 3 bytes (train.py changed)"]
    on_wire = bai.run("diff", "--wire", path, code=1).stdout
    assert "~ environmentVariables.BAI_CODE.value" in on_wire


def test_a_cancelled_sweep_may_run_again(bai, spec):
    bai.run("apply", "-d", spec(1, "sleep 600"))
    bai.run("cancel", "train")
    again = "sweep/train unchanged (1 job: 1 cancelled; --rerun starts new attempts)"
    assert of_sweep(bai.run("apply", "-d", spec(1, "sleep 600"), code=1)) == [again]
