"""ResNet-50 learns, goes on after a killed rank, and does the same with all frameworks."""

import os
import re
import shutil
import signal
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/resnet50-imagenet"
BAR = 0.3
"""Of the top-1 accuracy; without training it is 0.1."""

pytestmark = pytest.mark.horovod

pytest.importorskip("PIL")


def to_the_end(bai, *arguments):
    """Run bai to its end, which a training on a busy machine is far from, and return its output."""
    output, errors = bai.start(*arguments).communicate()
    assert "Traceback" not in errors, errors
    return output


def kill(folder, rank):
    """Kill a rank of a job in the state of a folder."""
    for process in psutil.process_iter(["environ"]):
        environment = process.info["environ"] or {}
        here = environment.get("AZ_BATCHAI_JOB_TEMP", "").startswith(str(folder))
        if here and environment.get("HOROVOD_RANK") == str(rank):
            process.send_signal(signal.SIGKILL)


def check(output, *, epochs, first=1):
    """Check what the ranks of the small data set said from the first epoch on."""
    for number in range(first, epochs + 1):
        assert re.search(rf"epoch {number} of {epochs} .* 600 images seen once", output), output
    assert re.search(r"weights are identical on all 2 ranks: [0-9a-f]{16}\n", output)
    assert "job/train succeeded" in output
    assert float(re.search(r"metrics .*top1 ([\d.]+)", output)[1]) > BAR
    assert float(re.search(r"metrics .*top5 ([\d.]+)", output)[1]) > 0.7
    assert re.search(r"saved the model to .*/outputs/model\.", output)


def test_pytorch_learns_and_goes_on_after_a_killed_rank(bai):
    torch = pytest.importorskip("torch")
    spec = FOLDER / "experiment.yaml"
    bai.run("apply", "-d", spec)
    follower = bai.start("logs", "-f", "train")
    assert any("epoch 1 of 3" in line for line in follower.stdout)
    kill(bai.folder, rank=1)
    follower.communicate()
    assert "rank 1" in bai.run("wait", "train", code=1).stderr
    [checkpoint] = bai.folder.rglob("checkpoints/torch-*/epoch-*")

    output = to_the_end(bai, "apply", spec, "--rerun")
    assert f"going on after epoch {int(checkpoint.name[-5:])}" in output
    assert "epoch 1 of 3" not in output
    check(output, epochs=3, first=int(checkpoint.name[-5:]) + 1)
    assert not list(bai.folder.rglob("checkpoints/torch-*"))
    [model] = bai.folder.glob(".bai/storage/default/files/results/**/outputs/model.pt")
    state = torch.load(model, weights_only=True)
    assert sum(value.numel() for value in state.values()) == pytest.approx(23.6e6, rel=0.01)


@pytest.mark.tensorflow
@pytest.mark.parametrize("framework", ["tensorflow", "keras"])
def test_tensorflow_and_keras_learn(bai, framework):
    python = os.environ.get("BAI_KERAS_PYTHON") or ROOT / ".venv-keras/bin/python"
    if not Path(python).exists():
        pytest.skip("there is no environment with TensorFlow (make keras)")
    bai.context(slots=2, python=python)
    values = ["-p", f"framework={framework}", "-p", "epochs=2"]
    output = to_the_end(bai, "apply", FOLDER / "experiment.yaml", *values)
    check(output, epochs=2)


def test_synthetic_images_under_mpirun(bai, needs_mpirun):
    pytest.importorskip("torch")
    mpi = pytest.importorskip("horovod.torch")
    if not mpi.mpi_built():
        pytest.skip("this Horovod was built without MPI")
    output = to_the_end(bai, "apply", FOLDER / "mpirun.yaml", "-p", "images=61")
    assert re.search(r"epoch 2 of 2 .* 61 images seen once", output), output
    assert re.search(r"weights are identical on all 2 ranks: [0-9a-f]{16}\n", output)
    assert "job/synthetic succeeded" in output


def test_the_notebook_runs_from_its_first_to_its_last_cell(bai):
    """In a copy of the folder, since the state is kept beside the notebook."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("torch")
    shutil.copytree(FOLDER, bai.folder, dirs_exist_ok=True)
    notebook = nbformat.read(FOLDER / "tutorial.ipynb", as_version=4)
    client = nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(bai.folder)}})
    client.execute(env=bai.environment | {"PYTHONWARNINGS": "default"})
    text = "".join(
        output.get("text", "") or output.get("data", {}).get("text/plain", "")
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    )
    assert "create fileServer/nfs" in text
    assert "epoch 2 of 2" in text
    assert "model.pt" in text
    assert "BAI802 the job has 8 nodes and 32 processes" in text
