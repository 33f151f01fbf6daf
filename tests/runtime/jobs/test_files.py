"""What an attempt has written, by names and offsets."""

import os

import pytest

from bai.runtime.errors import MissingFileError, StorageError
from bai.runtime.jobs.files import LOGS, METRICS, RECORDS, FolderFiles, output


@pytest.fixture
def files(tmp_path):
    """Files of an attempt with a log, an output of two levels, and more in its own folder."""
    for path, text in {
        "logs/stdout.txt": "one\ntwo\n",
        "model/part/weights": "w" * 10,
        "model/readme": "r",
        "own/metrics.jsonl": "{}\n",
        "own/run-1.json": "secret",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    folders = {LOGS: tmp_path / "logs", output("MODEL"): tmp_path / "model"}
    return FolderFiles(folders | {output("LATER"): tmp_path / "later"}, tmp_path / "own")


def names(entries):
    return [(entry.name, entry.is_directory, entry.size) for entry in entries]


def test_a_directory_is_listed_by_name(files):
    assert names(files.list(output("MODEL"))) == [("part", True, 0), ("readme", False, 1)]
    assert names(files.list(output("MODEL"), "part")) == [("weights", False, 10)]
    assert names(files.list(LOGS)) == [("stdout.txt", False, 8)]


def test_a_part_of_a_file_is_read(files):
    assert files.read(LOGS, "stdout.txt") == b"one\ntwo\n"
    assert files.read(LOGS, "stdout.txt", 4) == b"two\n"
    assert files.read(LOGS, "stdout.txt", 2, 3) == b"e\nt"
    assert files.read(LOGS, "stdout.txt", 100, 3) == b""
    assert files.read(output("MODEL"), "part/weights", 8, 100) == b"ww"


def test_of_the_records_nothing_else_is_served(files):
    assert names(files.list(RECORDS)) == [(METRICS, False, 3)]
    assert files.read(RECORDS, METRICS) == b"{}\n"
    for path in ("run-1.json", "./run-1.json", "none"):
        with pytest.raises(MissingFileError):
            files.read(RECORDS, path)


def test_nothing_leads_out_of_a_directory(files, tmp_path):
    model = tmp_path / "model"
    (model / "away").symlink_to(tmp_path / "own")
    (model / "run").symlink_to("../own/run-1.json")
    (model / "here").symlink_to("readme")
    assert files.read(output("MODEL"), "here") == b"r"
    for path in ("../own/run-1.json", "away/run-1.json", "run", f"{tmp_path}/own/run-1.json"):
        with pytest.raises(StorageError, match="leads out of"):
            files.read(output("MODEL"), path)
    with pytest.raises(StorageError, match="leads out of"):
        files.list(output("MODEL"), "away")


def test_what_is_no_file_is_not_listed_and_not_waited_for(files, tmp_path):
    os.mkfifo(tmp_path / "logs/pipe")
    (tmp_path / "logs/nothing").symlink_to("nowhere")
    (tmp_path / "logs/again").symlink_to(".")
    (tmp_path / "logs/round").symlink_to("round")
    assert names(files.list(LOGS)) == [("stdout.txt", False, 8)]
    for path in ("pipe", "round", "."):
        with pytest.raises(StorageError, match="can't read"):
            files.read(LOGS, path)


def test_what_is_not_there_is_missing(files, tmp_path):
    for directory, path in ((LOGS, "none"), (LOGS, "stdout.txt/x"), (output("LATER"), "x")):
        with pytest.raises(MissingFileError, match="is missing"):
            files.read(directory, path)
    with pytest.raises(MissingFileError, match="later is missing"):
        files.list(output("LATER"))
    for call in (files.list, files.address):
        with pytest.raises(MissingFileError, match="the job has no output NONE"):
            call(output("NONE"))


def test_people_get_the_path(files, tmp_path):
    assert files.address(output("LATER")) == str(tmp_path / "later")
