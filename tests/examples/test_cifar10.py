"""The CIFAR-10 example: its formats, and both of its scripts on two ranks."""

import importlib
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from trainings import UNHURRIED, killed, to_the_end

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/cifar10"
SPEC = FOLDER / "experiment.yaml"
BAR = 0.4
"""Of the test accuracy; without training it is 0.1, and seeds 2 to 4 end with 0.82 or more."""

np = pytest.importorskip("numpy")


@pytest.fixture
def modules(monkeypatch):
    """The example's modules that need no framework: (cifar10, make_data, batches)."""
    monkeypatch.syspath_prepend(FOLDER)
    names = ("cifar10", "make_data", "batches")
    yield tuple(importlib.import_module(name) for name in names)
    for name in names:
        del sys.modules[name]


def assert_equal(one, other):
    assert one.pixels.dtype == other.pixels.dtype == np.uint8
    np.testing.assert_array_equal(one.pixels, other.pixels)
    np.testing.assert_array_equal(one.labels, other.labels)


def test_both_formats_hold_the_same_images(modules, tmp_path):
    cifar10, make_data, _ = modules
    loaded = []
    for form in make_data.WRITERS:
        make_data.make(tmp_path / form, form=form, train=53, test=7, seed=3)
        loaded.append(cifar10.load(tmp_path / form))
    binary, pickled = loaded
    assert binary.names == pickled.names == list(make_data.NAMES)
    assert binary.train.pixels.shape == (53, 32, 32, 3)
    assert binary.test.pixels.shape == (7, 32, 32, 3)
    assert_equal(binary.train, pickled.train)
    assert_equal(binary.test, pickled.test)


def test_files_as_the_archives_have_them_are_read(modules, tmp_path):
    """One record of each format, byte by byte as the page of CIFAR-10 describes it."""
    cifar10, _, _ = modules
    red, green, blue = (bytes([colour]) * 1024 for colour in (250, 120, 30))
    record = bytes([9]) + red + green + blue
    (tmp_path / "a" / cifar10.BINARY).mkdir(parents=True)
    (tmp_path / "b" / cifar10.PICKLED).mkdir(parents=True)
    batches = [*(f"data_batch_{number}" for number in range(1, 6)), "test_batch"]
    # As Python 2 wrote it: protocol 2, and texts that are bytes today.
    data = np.frombuffer(record[1:], np.uint8).reshape(1, 3072)
    content = {
        b"batch_label": b"training batch 1 of 5",
        b"labels": [9],
        b"data": data,
        b"filenames": [b"truck_s_000001.png"],
    }
    for name in batches:
        (tmp_path / "a" / cifar10.BINARY / f"{name}.bin").write_bytes(record)
        (tmp_path / "b" / cifar10.PICKLED / name).write_bytes(pickle.dumps(content, 2))
    (tmp_path / "a" / cifar10.BINARY / "batches.meta.txt").write_text("airplane\ntruck\n\n")
    meta = {b"label_names": [b"airplane", b"truck"], b"num_vis": 3072}
    (tmp_path / "b" / cifar10.PICKLED / "batches.meta").write_bytes(pickle.dumps(meta, 2))
    for folder in "ab":
        data = cifar10.load(tmp_path / folder)
        assert data.names == ["airplane", "truck"]
        assert data.train.labels.tolist() == [9] * 5
        assert data.test.pixels[0, 31, 0].tolist() == [250, 120, 30]


def test_a_pickle_that_runs_something_is_refused(modules, tmp_path):
    cifar10, _, _ = modules

    class Evil:
        def __reduce__(self):
            return os.system, ("true",)

    (tmp_path / "batch").write_bytes(pickle.dumps(Evil()))
    with pytest.raises(pickle.UnpicklingError, match="system is not in a file of CIFAR-10"):
        cifar10._of_pickle(tmp_path / "batch")


def test_a_folder_without_data_is_named(modules, tmp_path):
    with pytest.raises(FileNotFoundError, match="cifar-10-batches-py"):
        modules[0].load(tmp_path)


def test_data_that_is_there_stays(tmp_path):
    make = [sys.executable, FOLDER / "make_data.py", tmp_path, "--train", "20", "--test", "5"]
    said = [
        subprocess.run([*make, *more], capture_output=True, text=True, check=True).stdout
        for more in ([], ["--seed", "2"], ["--format", "cifar-10-batches-py"])
    ]
    assert said[0].startswith("made 20 + 5 images")
    assert said[1] == said[2] == f"{tmp_path} has cifar-10-batches-bin already\n"
    assert [path.name for path in tmp_path.iterdir()] == ["cifar-10-batches-bin"]


def test_two_that_make_it_at_once_leave_one_whole(modules, tmp_path):
    _, make_data, _ = modules
    make_data.make(tmp_path, form=make_data.BINARY, train=20, test=5, seed=1)
    before = (tmp_path / make_data.BINARY / "data_batch_1.bin").read_bytes()
    make_data.make(tmp_path, form=make_data.BINARY, train=20, test=5, seed=2)
    assert (tmp_path / make_data.BINARY / "data_batch_1.bin").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [make_data.BINARY]


def test_images_are_shifted_and_flipped(modules):
    _, _, batches = modules
    image = np.arange(40 * 40).reshape(1, 40, 40, 1)
    random = np.random.default_rng(1)
    found = set()
    for each in batches.augmented(np.repeat(image, 200, axis=0), random)[..., 0]:
        # Away from the border, neighbours stay neighbours, in one direction or the other.
        steps = np.diff(each[10:30, 10:30], axis=1)
        assert len(np.unique(steps)) == 1
        middle = each[20, 20] if steps[0, 0] == 1 else each[20, 19]
        down, across = divmod(int(middle), 40)
        found.add((int(steps[0, 0]), down - 20, across - 20))
    assert {flip for flip, _, _ in found} == {-1, 1}
    for axis in (1, 2):
        assert {place[axis] for place in found} == set(range(-4, 5))
    unmoved = batches.augmented(image, np.random.default_rng(2), shift=0)
    assert sorted(unmoved.ravel().tolist()) == sorted(image.ravel().tolist())


def check(output, *, epochs, first=1):
    """Check what the ranks said from the first epoch on."""
    for number in range(first, epochs + 1):
        assert f"epoch {number} of {epochs}  2001 images seen once" in output
    assert re.search(r"weights are identical on all 2 ranks: [0-9a-f]{16}\n", output)
    assert "job/cifar_distributed succeeded" in output
    assert float(re.search(r"metrics .*accuracy ([\d.]+)", output)[1]) > BAR


EPOCHS = 8
"""Enough to learn, with two of them before the rank is killed and some behind it."""


def resumed(bai, *options):
    """Kill a rank after the second epoch, apply again, and check what was said then."""
    spec = (SPEC, *options, "-p", f"epochs={EPOCHS}")
    killed(bai, "cifar_distributed", *spec, rank=1, line="epoch 2 of ")
    output = to_the_end(bai, "apply", "--rerun", *spec)
    epoch = int(re.search(r"resumes after epoch (\d+)", output)[1])
    assert f"epoch {epoch} of " not in output
    check(output, epochs=EPOCHS, first=epoch + 1)


@pytest.mark.horovod
@UNHURRIED
def test_pytorch_learns_and_resumes_after_a_killed_rank(bai):
    torch = pytest.importorskip("torch")
    resumed(bai)
    path = "azureFile:batchaishare/cifar/saved_models/torch_cifar10_trained_model.pt"
    bai.run("storage", "cp", path, "here/")
    state = torch.load(bai.folder / "here/torch_cifar10_trained_model.pt", weights_only=True)
    assert state["0.weight"].shape == (32, 3, 3, 3)


@pytest.mark.horovod
@pytest.mark.tensorflow
@UNHURRIED
def test_keras_learns_and_resumes_after_a_killed_rank(bai, keras_python):
    bai.context(slots=2, python=keras_python)
    resumed(bai, "-p", "framework=keras")
    path = "azureFile:batchaishare/cifar/saved_models/keras_cifar10_trained_model.keras"
    bai.run("storage", "cp", path, "here/")
    assert (bai.folder / "here/keras_cifar10_trained_model.keras").stat().st_size > 1_000_000


@pytest.mark.horovod
@UNHURRIED
def test_the_six_commands_of_the_page_tell_the_whole_story(bai, modules):
    """On the tutorial's four nodes, with few images; each line is taken from the page."""
    pytest.importorskip("torch")
    shutil.copytree(FOLDER, bai.folder / "examples/cifar10")
    bai.context(slots=4)
    page = (FOLDER / "README.md").read_text().partition("```console\n")[2].partition("```")[0]
    commands = [line.partition("#")[0].split() for line in page.splitlines()]
    assert [words[:2] for words in commands] == [["$", "bai"]] * 6
    diff, apply, logs, fetch, scale, delete = (words[2:] for words in commands)

    assert "scale: 4" in bai.run(*diff, code=1).stdout
    assert not (bai.folder / ".bai").exists()
    data = bai.storage / "default/files/batchaishare/cifar/data"
    modules[1].make(data, form="cifar-10-batches-py", train=61, test=9, seed=1)
    said = to_the_end(bai, *apply)
    assert "epoch 6 of 6  61 images seen once" in said
    assert "weights are identical on all 4 ranks" in said
    assert "epoch 6 of 6  61 images seen once" in bai.run(*logs).stdout
    bai.run(*fetch)
    assert (bai.folder / "saved_models/torch_cifar10_trained_model.pt").is_file()
    bai.run(*scale)
    assert json.loads(bai.run("get", "nodes", "-o", "json").stdout) == []
    bai.run(*delete)
    assert json.loads(bai.run("get", "jobs", "-o", "json").stdout) == []
    assert json.loads(bai.run("get", "clusters", "-o", "json").stdout) == []
    assert bai.run("storage", "ls", "azureFile:batchaishare/cifar/saved_models").stdout


def test_the_script_of_keras_lints_clean(bai):
    shutil.copytree(FOLDER, bai.folder / "cifar10")
    spec = bai.folder / "cifar10/experiment.yaml"
    spec.write_text(SPEC.read_text().replace("default: torch", "default: keras"))
    assert bai.run("lint", spec).stdout == "1 file checked, no findings\n"
