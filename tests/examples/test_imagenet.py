"""ResNet-50 learns, goes on after a killed rank, and does the same with all frameworks."""

import re
import shutil
from pathlib import Path

import pytest
from trainings import UNHURRIED, killed, to_the_end

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/resnet50-imagenet"
BAR = 0.3
"""Of the top-1 accuracy; without training it is 0.1, and seeds 2 to 4 end with 0.74 or more."""

pytestmark = [pytest.mark.horovod, UNHURRIED]

pytest.importorskip("PIL")


def check(output, *, epochs, first=1):
    """Check what the ranks of the small data set said from the first epoch on."""
    for number in range(first, epochs + 1):
        assert re.search(rf"epoch {number} of {epochs} .* 600 images seen once", output), output
    assert re.search(r"weights are identical on all 2 ranks: [0-9a-f]{16}\n", output)
    assert "job/train succeeded" in output
    assert float(re.search(r"metrics .*top1 ([\d.]+)", output)[1]) > BAR
    assert float(re.search(r"metrics .*top5 ([\d.]+)", output)[1]) > 0.7
    assert re.search(r"saved the model to .*/outputs/model\.", output)


def resumed(bai, *options, framework, epochs):
    """Kill a rank after the first epoch, apply again, and check what was said then."""
    spec = (FOLDER / "experiment.yaml", *options, "-p", f"epochs={epochs}")
    killed(bai, "train", *spec, rank=1, line=f"epoch 1 of {epochs} ")
    kept = [int(path.name[-5:]) for path in bai.folder.rglob(f"{framework}-*/epoch-*")]
    output = to_the_end(bai, "apply", "--rerun", *spec)
    assert f"going on after epoch {max(kept)}, " in output
    assert f"epoch {max(kept)} of " not in output
    check(output, epochs=epochs, first=max(kept) + 1)
    # A training that has ended needs none any more.
    assert not list(bai.folder.rglob("epoch-*"))


def test_pytorch_learns_and_goes_on_after_a_killed_rank(bai):
    torch = pytest.importorskip("torch")
    resumed(bai, framework="torch", epochs=3)
    [model] = bai.folder.glob(".bai/storage/default/files/results/**/outputs/model.pt")
    state = torch.load(model, weights_only=True)
    assert sum(value.numel() for value in state.values()) == pytest.approx(23.6e6, rel=0.01)


@pytest.mark.tensorflow
@pytest.mark.parametrize("framework", ["tensorflow", "keras"])
def test_tensorflow_and_keras_learn_and_go_on_after_a_killed_rank(bai, keras_python, framework):
    bai.context(slots=2, python=keras_python)
    resumed(bai, "-p", f"framework={framework}", framework=framework, epochs=2)
    [model] = bai.folder.glob(".bai/storage/default/files/results/**/outputs/model.keras")
    assert model.stat().st_size > 90_000_000


@pytest.mark.parametrize(
    "framework",
    [
        "torch",
        pytest.param("tensorflow", marks=pytest.mark.tensorflow),
        pytest.param("keras", marks=pytest.mark.tensorflow),
    ],
)
def test_synthetic_images_under_mpirun(request, bai, needs_mpirun, framework):
    # Horovod is built alike for both environments.
    if not pytest.importorskip("horovod.torch").mpi_built():
        pytest.skip("this Horovod was built without MPI")
    if framework != "torch":
        bai.context(slots=2, python=request.getfixturevalue("keras_python"))
    values = ["-p", "images=33", "-p", f"framework={framework}"]
    output = to_the_end(bai, "apply", FOLDER / "mpirun.yaml", *values)
    assert re.search(r"epoch 2 of 2 .* 33 images seen once", output), output
    assert re.search(r"weights are identical on all 2 ranks: [0-9a-f]{16}\n", output)
    assert "job/synthetic succeeded" in output


def test_the_notebook_runs_from_its_first_to_its_last_cell(bai):
    """In a copy of the folder, since the state is kept beside the notebook."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    pytest.importorskip("torch")
    shutil.copytree(FOLDER, bai.folder, dirs_exist_ok=True)
    notebook = nbformat.read(FOLDER / "tutorial.ipynb", as_version=4)
    client = nbclient.NotebookClient(
        notebook, resources={"metadata": {"path": str(bai.folder)}}, startup_timeout=600
    )
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
    assert "(0, 'succeeded')" in text
    figures = [out for cell in notebook.cells for out in cell.get("outputs", ()) if "data" in out]
    assert any("image/png" in each["data"] for each in figures)
