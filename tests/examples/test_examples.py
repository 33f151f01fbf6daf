"""Every example is linted and compiled; those that can run here run for real."""

import json
import re
import shutil
from pathlib import Path

import pytest
from trainings import UNHURRIED, to_the_end

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*/experiment.yaml"))
SEEDS = ROOT / "tests/compiler/seeds"


def test_all_specs_are_clean(bai):
    paths = sorted((ROOT / "examples").glob("*/*.yaml"))
    assert bai.run("lint", *paths).stdout == f"{len(paths)} files checked, no findings\n"


def test_every_example_is_found():
    assert {path.parent.name for path in EXAMPLES} >= {
        "cifar10",
        "digits",
        "digits-keras",
        "horovod-benchmark",
        "resnet50-imagenet",
        "retinanet-coco",
    }


@pytest.mark.parametrize("name", ["horovod-benchmark", "cifar10"])
def test_old_job_files_come_back_exactly(bai, name):
    """The job.json that the old pages print, plus what their command line filled in."""
    printed = json.loads((SEEDS / f"{name}.job.json").read_text())
    printed.pop("$schema")
    account = "<AZURE_BATCHAI_STORAGE_ACCOUNT>"
    for share in printed["properties"].get("mountVolumes", {}).get("azureFileShares", ()):
        share |= {
            "accountName": account,
            "credentials": {"accountKey": "<AZURE_BATCHAI_STORAGE_KEY>"},
        }
    if name == "horovod-benchmark":
        printed["properties"]["horovodSettings"]["processCount"] = 8
    seed = ROOT / "examples" / name / "seed.yaml"
    path = seed if seed.exists() else seed.with_name("experiment.yaml")
    resources = json.loads(bai.run("compile", path).stdout)
    (job,) = (r for r in resources if r["type"].endswith("/jobs"))
    cluster = job["properties"].pop("cluster")["id"]
    assert {"properties": job["properties"]} == printed
    assert cluster in [resource["id"] for resource in resources]


def test_the_benchmark_s_spec_is_short():
    text = (ROOT / "examples/horovod-benchmark/seed.yaml").read_text()
    assert len(text.splitlines()) <= 25


def check_training(bai, name, job, python=None):
    """Apply an example with real Horovod and check what it learned, saved and said."""
    if python:
        bai.context(slots=2, python=python)
    said = to_the_end(bai, "apply", ROOT / "examples" / name / "experiment.yaml")
    assert "mounting" in said
    assert re.search(r"^1 \| rank 1 of 2 trains on 718 images$", said, re.MULTILINE)
    assert f"job/{job} succeeded" in said
    accuracy = float(re.search(r"metrics .* accuracy ([\d.]+)", said)[1])
    assert accuracy > 0.95
    (model,) = (bai.folder / ".bai/storage/default/files/results").rglob("outputs/model.*")
    assert model.stat().st_size > 10_000
    assert bai.run("apply", ROOT / "examples" / name / "experiment.yaml").stdout.count(
        "unchanged"
    ) == len(said.split("created")[:-1])
    return model


@pytest.mark.horovod
@UNHURRIED
def test_digits_trains_with_horovod_and_pytorch(bai):
    torch = pytest.importorskip("torch")
    pytest.importorskip("horovod")
    model = check_training(bai, "digits", "train")
    state = torch.load(model, weights_only=True)
    assert state["0.weight"].shape == (16, 1, 3, 3)
    shutil.copytree(ROOT / "examples", bai.folder / "examples")
    command = "bai diff examples/digits/experiment.yaml -p epochs=20"
    done = bai.run(*command.split()[1:], code=1)
    assert f"$ {command}\n{done.stdout}" in (ROOT / "README.md").read_text()


@pytest.mark.horovod
@UNHURRIED
def test_digits_trains_under_mpirun(bai, needs_mpirun):
    pytest.importorskip("torch")
    mpi = pytest.importorskip("horovod.torch")
    if not mpi.mpi_built():
        pytest.skip("this Horovod was built without MPI")
    bai.context(slots=2, launcher="mpirun")
    check_training(bai, "digits", "train")


@pytest.mark.horovod
@UNHURRIED
@pytest.mark.tensorflow
def test_digits_trains_with_horovod_and_keras(bai, keras_python):
    check_training(bai, "digits-keras", "train-keras", keras_python)


def test_a_horovod_that_is_missing_is_named_with_the_way_out(bai, tmp_path):
    """The interpreter of the job has no Horovod: one sentence, no traceback."""
    import venv

    venv.create(tmp_path / "bare", symlinks=True)
    bai.context(slots=2, python=tmp_path / "bare/bin/python")
    done = bai.run("apply", ROOT / "examples/digits/experiment.yaml", code=1)
    assert "JobLaunchFailed: Horovod is not installed for" in done.stdout
    assert "pip install" in done.stdout
