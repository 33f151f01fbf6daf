"""The table of all metrics of an attempt, from reports, event files and what bai measured."""

import math
import sys

import pytest
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from torch.utils.tensorboard import SummaryWriter

from bai.directory import Directory
from bai.job_metrics import UNREAD, attempt_points
from bai.metric_points import points_table
from bai.runtime.jobs.files import LOGS, FolderFiles, output

O1, O2 = output("ONE"), output("TWO")


@pytest.fixture
def attempt(tmp_path):
    """Files of an attempt with two outputs; returns (its folder, what reads its points)."""
    folders = {LOGS: tmp_path / "logs", O1: tmp_path / "one", O2: tmp_path / "two"}
    files = FolderFiles(folders, tmp_path)
    directories = {id: Directory(files, name) for id, name in (("ONE", O1), ("TWO", O2))}

    def read(tell=pytest.fail):
        return list(attempt_points(files, directories, "train", tell))

    return tmp_path, read


def short(points):
    return [(each.rank, each.name, each.step, each.value) for each in points]


def test_steps_take_the_time_between_reports_of_their_rank(attempt):
    folder, read = attempt
    lines = [
        '{"time": 10, "rank": 0, "step": 1, "loss": 4}',
        '{"time": 11, "rank": 1, "step": 1, "loss": 5}',
        '{"time": 12, "rank": 0, "step": 2, "loss": 3}',
        '{"time": 12, "rank": 0, "step": 2, "accuracy": 1}',
        '{"time": 15, "rank": 1, "step": 3, "loss": 2}',
        # A run that begins anew.
        '{"time": 20, "rank": 0, "step": 1, "loss": 9}',
        '{"time": 21, "rank": 0, "step": 2, "loss": 8}',
        '{"step": 3, "rank": 0, "loss": 7}',
    ]
    (folder / "metrics.jsonl").write_text("\n".join(lines) + "\n")
    found = short(read())
    assert [each for each in found if each[1] == "bai/step_seconds"] == [
        (0, "bai/step_seconds", 2, 2.0),
        (1, "bai/step_seconds", 3, 2.0),
        (0, "bai/step_seconds", 2, 1.0),
    ]
    assert len(found) == 8 + 3


def test_what_bai_measured_is_part_of_the_table(attempt):
    folder, read = attempt
    (folder / "usage.jsonl").write_text('{"time": 1, "rank": 1, "values": {"bai/cpu_cores": 2}}\n')
    assert short(read()) == [(1, "bai/cpu_cores", None, 2.0)]
    table = points_table(read())
    assert list(table.columns) == ["job", "rank", "name", "step", "time", "value"]
    assert table.step.isna().all()
    assert list(points_table([]).columns) == list(table.columns)


def test_scalars_of_event_files_are_metrics_by_run_and_tag(attempt):
    folder, read = attempt
    with SummaryWriter(folder / "one") as plain, SummaryWriter(folder / "one/val/a") as nested:
        plain.add_scalar("loss", 0.5, 3, walltime=7)
        plain.add_histogram("weights", __import__("numpy").arange(9), 3)
        nested.add_scalar("loss", 0.25, 3)
    assert short(read()) == [(None, "loss", 3, 0.5), (None, "val/a/loss", 3, 0.25)]
    assert read()[0].time == 7
    # Where two outputs have some, their ids tell them apart.
    with SummaryWriter(folder / "two") as other:
        other.add_scalar("loss", math.nan, 4)
    assert [each.name for each in read()] == ["ONE/loss", "ONE/val/a/loss", "TWO/loss"]


def test_two_outputs_that_are_one_folder_count_once(tmp_path):
    files = FolderFiles({O1: tmp_path / "one", O2: tmp_path / "one"}, tmp_path)
    with SummaryWriter(tmp_path / "one") as writer:
        writer.add_scalar("loss", 0.5, 3)
    directories = {id: Directory(files, name) for id, name in (("ONE", O1), ("TWO", O2))}
    found = attempt_points(files, directories, "train", pytest.fail)
    assert short(found) == [(None, "loss", 3, 0.5)]


def test_scalars_as_tensorflow_2_writes_them(attempt):
    folder, read = attempt
    writer = EventFileWriter(str(folder / "one/train"))
    value = Summary.Value(tag="epoch_loss")
    value.metadata.plugin_data.plugin_name = "scalars"
    value.tensor.dtype = 1
    value.tensor.float_val.append(0.5)
    writer.add_event(Event(wall_time=1, step=2, summary=Summary(value=[value])))
    writer.close()
    assert short(read()) == [(None, "train/epoch_loss", 2, 0.5)]


def test_an_event_file_that_is_being_written_or_is_damaged_is_read_as_far_as_it_goes(attempt):
    folder, read = attempt
    with SummaryWriter(folder / "one") as writer:
        for step in range(3):
            writer.add_scalar("loss", step, step)
    (file,) = (folder / "one").iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    assert [each.step for each in read()] == [0, 1]
    file.write_bytes(whole[:-20] + b"\xff" * 20 + whole)
    assert [each.step for each in read()] == [0, 1]
    file.write_bytes(b"no events" * 100)
    assert read() == []
    file.write_bytes(b"")
    assert read() == []


def test_without_tensorboard_the_rest_is_read_and_said_what_is_missing(attempt, monkeypatch):
    folder, read = attempt
    (folder / "metrics.jsonl").write_text('{"loss": 1}\n')
    (folder / "one").mkdir()
    (folder / "one/events.out.tfevents.1.host").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    said = []
    assert short(read(said.append)) == [(None, "loss", None, 1.0)]
    assert said == [UNREAD]
