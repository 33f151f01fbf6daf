"""What a job has written, in the hands of a person."""

import pytest

from bai.directory import Directory
from bai.runtime.errors import MissingFileError, StorageError
from bai.runtime.jobs.files import FolderFiles, output


@pytest.fixture
def model(tmp_path):
    """A directory with two files."""
    folder = tmp_path / "model"
    (folder / "part").mkdir(parents=True)
    (folder / "part/weights").write_bytes(bytes(range(256)) * 10_000)
    (folder / "readme").write_text("one\ntwo\n")
    return Directory(FolderFiles({output("MODEL"): folder}, tmp_path), output("MODEL"))


def test_it_is_shown_as_its_address(model, tmp_path):
    assert str(model) == model.address == str(tmp_path / "model")
    assert repr(model) == f"<Directory {tmp_path}/model>"


def test_files_are_listed_and_read(model):
    assert [entry.name for entry in model.list()] == ["part", "readme"]
    assert [entry.name for entry in model.list("part")] == ["part/weights"]
    everything = [entry.name for entry in model.list(recursive=True)]
    assert everything == ["part", "part/weights", "readme"]
    assert model.read("readme") == b"one\ntwo\n"
    with pytest.raises(MissingFileError):
        model.read("none")


def test_an_open_file_is_one_of_python_s(model):
    with model.open("readme") as file:
        assert list(file) == [b"one\n", b"two\n"]
    with model.open("part/weights") as file:
        assert file.seek(-1, 2) == 2_559_999
        assert file.read() == b"\xff"
        file.seek(1)
        file.seek(2, 1)
        assert file.read(2) == b"\x03\x04"
        with pytest.raises((ValueError, OSError)):
            file.seek(-10)
    with pytest.raises(MissingFileError):
        model.open("none")


def test_files_are_downloaded(model, tmp_path):
    assert model.download(tmp_path / "copy") == 2
    copied = {
        path.relative_to(tmp_path / "copy").as_posix(): path.read_bytes()
        for path in (tmp_path / "copy").rglob("*")
        if path.is_file()
    }
    assert copied == {name: model.read(name) for name in ("part/weights", "readme")}
    assert model.download(tmp_path / "deep/alone", "readme") == 1
    assert (tmp_path / "deep/alone").read_text() == "one\ntwo\n"
    with pytest.raises(MissingFileError):
        model.download(tmp_path / "x", "none")
    with pytest.raises(StorageError, match="can't write"):
        model.download(tmp_path / "copy/readme/x", "readme")
    with pytest.raises(TypeError, match="a path must be"):
        model.download(["a"])


def test_what_was_never_written_is_empty(tmp_path):
    later = Directory(FolderFiles({output("M"): tmp_path / "later"}, tmp_path), output("M"))
    assert list(later.list()) == []
    with pytest.raises(MissingFileError):
        later.download(tmp_path / "copy")
