"""A checkpoint is there whole or not at all, whatever happens to the process that saves it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.training import Checkpoints


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def a_file(text):
    return lambda path: path.write_text(text)


def a_folder(text):
    def write(path):
        (path / "deep").mkdir(parents=True)
        (path / "deep/model").write_text(text)

    return write


def test_a_folder_that_is_not_there_has_no_checkpoint(tmp_path):
    assert Checkpoints(tmp_path / "none").newest() is None
    assert names(tmp_path) == []


@pytest.mark.parametrize("write", [a_file, a_folder])
def test_the_newest_is_kept(tmp_path, write):
    checkpoints = Checkpoints(tmp_path / "a/b")
    for epoch in (1, 2, 12):
        path = checkpoints.save(epoch, write(f"of {epoch}"))
    assert checkpoints.newest() == (12, path)
    assert names(tmp_path / "a/b") == ["epoch-00012"]
    content = path / "deep/model" if path.is_dir() else path
    assert content.read_text() == "of 12"


@given(st.sets(st.integers(0, 200_000), min_size=1), st.integers(1, 4))
def test_as_many_as_wanted_are_kept(tmp_path_factory, epochs, keep):
    folder = tmp_path_factory.mktemp("checkpoints")
    checkpoints = Checkpoints(str(folder), keep=keep)
    for epoch in sorted(epochs):
        checkpoints.save(epoch, a_file(str(epoch)))
    kept = {int(path.read_text()) for path in folder.iterdir()}
    assert kept == set(sorted(epochs)[-keep:])
    epoch, path = Checkpoints(folder).newest()
    assert epoch == max(epochs) == int(path.read_text())


@pytest.mark.parametrize("write", [a_file, a_folder])
@pytest.mark.parametrize("error", [OSError("the disk is full"), KeyboardInterrupt()])
def test_a_writer_that_raises_leaves_all_as_it_was(tmp_path, write, error):
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(1, a_file("whole"))

    def fail(path):
        write("half")(path)
        raise error

    with pytest.raises(type(error)):
        checkpoints.save(2, fail)
    assert names(tmp_path) == ["epoch-00001"]
    checkpoints.save(2, a_file("whole"))
    assert checkpoints.newest() == (2, tmp_path / "epoch-00002")


KILLED = """
import os, signal, sys
from pathlib import Path
from bai.training import Checkpoints

def write(path):
    path.mkdir()
    (path / "half").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)

Checkpoints(sys.argv[1]).save(2, write)
"""


@pytest.mark.slow
def test_a_process_that_is_killed_while_it_saves_leaves_the_older_one(tmp_path):
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(1, a_file("whole"))
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(names(tmp_path)) == 2
    epoch, path = checkpoints.newest()
    assert (epoch, path.read_text()) == (1, "whole")
    checkpoints.save(2, a_file("new"))
    assert names(tmp_path) == ["epoch-00002"]


@pytest.mark.parametrize("variable", ["HOROVOD_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK"])
def test_only_rank_0_saves(tmp_path, monkeypatch, variable):
    checkpoints = Checkpoints(tmp_path / "of_all")
    monkeypatch.setenv(variable, "1")
    with pytest.raises(RuntimeError, match=r"^rank 1 saves a checkpoint in .*/of_all, as"):
        checkpoints.save(1, a_file("of 1"))
    assert names(tmp_path) == []
    monkeypatch.setenv(variable, "0")
    assert checkpoints.newest() is None
    checkpoints.save(1, a_file("of 0"))
    assert checkpoints.newest()[1].read_text() == "of 0"


def test_other_files_stay(tmp_path):
    others = ["epoch-1", "epoch-00003.txt", "events", ".epoch-00001.swp"]
    for name in others:
        (tmp_path / name).write_text("mine")
    Checkpoints(tmp_path).save(4, a_file("whole"))
    assert names(tmp_path) == sorted([*others, "epoch-00004"])


@pytest.mark.parametrize(
    ("epoch", "write", "message"),
    [
        (3, a_file(""), "no checkpoint of epoch 3 .* that of epoch 3 is there already"),
        (2, a_file(""), "that of epoch 3 is there already"),
        (4, lambda path: path.with_suffix(".pt").write_text(""), "nothing was written to"),
    ],
)
def test_what_can_not_be_a_checkpoint_is_refused(tmp_path, epoch, write, message):
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(3, a_file("whole"))
    with pytest.raises(ValueError, match=message):
        checkpoints.save(epoch, write)
    assert checkpoints.newest() == (3, tmp_path / "epoch-00003")


def test_negative_epochs_and_keeping_nothing_are_refused(tmp_path):
    with pytest.raises(ValueError, match="it is negative"):
        Checkpoints(tmp_path).save(-1, a_file(""))
    with pytest.raises(ValueError, match="keep is 0"):
        Checkpoints(tmp_path, keep=0)


def test_it_needs_no_other_part_of_bai():
    code = "import sys, bai.training; print(*sorted(m for m in sys.modules if m[:4] == 'bai.'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    here = Path(__file__).parents[2] / "api/training"
    modules = [f".{path.stem}" for path in here.glob("[!_]*.py")]
    assert done.stdout.split() == sorted(f"bai.training{name}" for name in ["", *modules])
