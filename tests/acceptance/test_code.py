"""The code of jobs: a snapshot of a folder, in which all processes start."""

import pytest
from watching import job_json

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: small}
spec:
  jobs:
"""


@pytest.fixture
def write(bai):
    """Return a function that writes files below the folder of bai: path -> content."""

    def write_all(**files):
        for name, content in files.items():
            path = bai.folder / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)

    return write_all


def spec(bai, jobs):
    (bai.folder / "experiment.yaml").write_text(SPEC + jobs)
    return "experiment.yaml"


def log(bai, name="stdout.txt"):
    (path,) = bai.storage.rglob(name)
    return path.read_text()


@pytest.mark.horovod
def test_seven_lines_run_horovod(bai, write):
    write(
        train_py="import horovod.torch as hvd, torch\nhvd.init()\n"
        "print(hvd.allreduce(torch.tensor([hvd.rank() + 1.0]), op=hvd.Sum).item(), flush=True)\n"
    )
    small = "    train: {code: .,\n      horovod: {script: train.py, processesPerNode: 2}}\n"
    assert len((SPEC + small).splitlines()) == 7
    bai.run("apply", spec(bai, small))
    assert sorted(log(bai).splitlines()) == ["[0]<stdout>: 3.0", "[1]<stdout>: 3.0"]


def test_ranks_and_preparation_start_in_the_code(bai, write):
    write(code__train_py="import helper", code__helper_py="print(open('data.txt').read())")
    write(code__data_txt="read", code__prepare_sh='[ "$(pwd -P)" = "$(cd $BAI_CODE; pwd -P)" ]\n')
    job = "    train: {code: code, preparation: bash prepare.sh,\n"
    bai.run("apply", spec(bai, f"{job}      custom: {{command: python train.py}}}}\n"))
    assert log(bai) == "read\n"


def test_a_queued_job_runs_the_code_that_it_was_applied_with(bai, write):
    write(code__train_py="print('old')")
    hold = "    hold: {nodeCount: 2, custom: {command: sleep 600}}\n"
    train = "    train: {code: code, custom: {command: python train.py}}\n"
    bai.run("apply", "-d", spec(bai, hold + train))
    write(code__train_py="print('new')")
    bai.run("cancel", "hold")
    bai.run("wait", "train")
    assert bai.run("logs", "train").stdout == "old\n"
    shown = bai.run("diff", "experiment.yaml", code=1).stdout
    assert "± job/train  replace" in shown
    assert "    ~ code: 1 file, 12 bytes -> 1 file, 12 bytes (train.py changed)\n" in shown
    assert "BAI_CODE" not in shown
    bai.run("apply", "experiment.yaml", "--rerun-job", "train", code=None)
    assert bai.run("logs", "train").stdout == "new\n"


def test_code_that_is_gone_is_named_and_made_again(bai, write):
    write(code__train_py="print('here')")
    train = "    train: {code: code, custom: {command: python train.py}}\n"
    hold = "    hold: {nodeCount: 2, custom: {command: sleep 600}}\n"
    bai.run("apply", "-d", spec(bai, hold + train))
    refused = bai.run("storage", "rm", "-r", "azureFile:code", code=2).stderr
    assert "train (queued)" in refused
    [name] = [path.stem for path in (bai.storage / "default/files/code").glob("*.json")]
    assert "in use" in bai.run("storage", "rm", "-r", f"azureFile:code/{name}", code=2).stderr
    (bai.storage / "default/files/code/older").mkdir()
    bai.run("storage", "rm", "-r", "azureFile:code/older")
    bai.run("storage", "rm", "-r", "azureFile:code", "--yes")
    bai.run("cancel", "hold")
    bai.run("wait", "train", code=1)
    [error] = job_json(bai, "train")["executionInfo"]["errors"]
    assert error["code"] == "JobLaunchFailed"
    assert "is gone: apply it again with --rerun" in error["message"]
    bai.run("apply", "experiment.yaml", "--rerun-job", "train", code=None)
    assert bai.run("logs", "train").stdout == "here\n"
