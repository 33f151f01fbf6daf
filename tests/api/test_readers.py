"""Files that are read while others write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.readers import LogLine, LogReader, Metrics, MetricsReader, Tail


@given(st.lists(st.binary(max_size=8) | st.sampled_from([b"\n", b"a\nb"]), max_size=8))
def test_a_tail_loses_nothing_however_the_file_grows(tmp_path_factory, pieces):
    path = tmp_path_factory.mktemp("tail") / "log"
    tail, found = Tail(path), []
    assert list(tail.lines(final=False)) == []
    with path.open("wb", buffering=0) as file:
        for piece in pieces:
            file.write(piece)
            found += tail.lines(final=False)
    whole = path.read_bytes().split(b"\n")
    assert found == whole[:-1]
    found += tail.lines(final=True)
    assert found == (whole if whole[-1] else whole[:-1])
    assert list(tail.lines(final=True)) == []


def write(folder, **files):
    for name, text in files.items():
        with (folder / f"{name.replace('_', '-').replace('job-prep', 'job_prep')}.txt").open(
            "a"
        ) as file:
            file.write(text)


def test_lines_know_who_wrote_them(tmp_path):
    write(
        tmp_path,
        stderr="[1]<stderr>: warn\n",
        stdout="[0]<stdout>: zero\n[12]<stdout>: \nbare\n",
        stdout_3="three\n",
        stdout_wk_0="worker\n",
        stdout_job_prep="ready\n",
        stderr_job_prep_node_1="slow\n",
        stdouter="no log\n",
    )
    assert list(LogReader(tmp_path).read(final=True)) == [
        LogLine("ready", "stdout", None, "preparation"),
        LogLine("slow", "stderr", None, "node-1 preparation"),
        LogLine("three", "stdout", 3),
        LogLine("worker", "stdout", None, "wk-0"),
        LogLine("zero", "stdout", 0),
        LogLine("", "stdout", 12),
        LogLine("bare", "stdout"),
        LogLine("warn", "stderr", 1),
    ]


@pytest.mark.parametrize(
    ("rank", "stream", "texts"),
    [
        (None, None, ["ready", "zero", "one", "bare", "warn"]),
        (0, None, ["zero", "bare"]),
        (1, None, ["one", "warn"]),
        (1, "stderr", ["warn"]),
        (None, "stdout", ["ready", "zero", "one", "bare"]),
        (7, None, []),
    ],
)
def test_lines_are_chosen_by_rank_and_stream(tmp_path, rank, stream, texts):
    write(
        tmp_path,
        stdout_job_prep="ready\n",
        stdout="[0]<stdout>: zero\n[1]<stdout>: one\nbare\n",
        stderr="[1]<stderr>: warn\n",
    )
    found = LogReader(tmp_path, rank, stream).read(final=True)
    assert [line.text for line in found] == texts


def test_logs_may_appear_late_and_begun_lines_wait(tmp_path):
    reader = LogReader(tmp_path / "logs")
    assert list(reader.read(final=False)) == []
    (tmp_path / "logs").mkdir()
    write(tmp_path / "logs", stdout="one\ntw")
    assert [line.text for line in reader.read(final=False)] == ["one"]
    write(tmp_path / "logs", stdout="o\nthr", stderr="new\n")
    assert [line.text for line in reader.read(final=False)] == ["two", "new"]
    assert [line.text for line in reader.read(final=True)] == ["thr"]


def test_of_a_progress_bar_the_last_state_is_a_line(tmp_path):
    reader = LogReader(tmp_path)

    def read(text, *, final=False):
        with (tmp_path / "stdout-wk-0.txt").open("a", newline="") as file:
            file.write(text)
        return [line.text for line in reader.read(final=final)], reader.bar and reader.bar.text

    # A begun line that nothing writes over is none.
    assert read("begun") == ([], None)
    assert read(" line\n\r 0%") == (["begun line"], " 0%")
    assert read("\r10%\r20") == ([], "20")
    assert read("%") == ([], "20%")
    assert read("\r100%\nnext\r\n") == (["100%", "next"], None)
    # The return may come behind the state as well.
    assert read("1/3\r") == ([], None)
    assert read("2/3\r") == ([], "2/3")
    assert read("3/3\r", final=True) == (["3/3"], None)


def test_the_states_of_a_progress_bar_in_a_shared_log_are_no_lines(tmp_path):
    reader = LogReader(tmp_path)
    (tmp_path / "stderr.txt").write_bytes(b"[1]<stderr>: \r\n[1]<stderr>: 10%\r\n")
    assert list(reader.read(final=False)) == []
    assert reader.bar == LogLine("10%", "stderr", 1)
    with (tmp_path / "stderr.txt").open("ab") as file:
        file.write(b"[0]<stderr>: other\n")
    assert list(reader.read(final=False)) == [LogLine("other", "stderr", 0)]
    assert reader.bar == LogLine("10%", "stderr", 1)
    with (tmp_path / "stderr.txt").open("ab") as file:
        file.write(b"[1]<stderr>: 100%\n")
    assert list(reader.read(final=False)) == [LogLine("100%", "stderr", 1)]
    assert reader.bar is None


def test_metrics_pass_over_what_is_none(tmp_path):
    path = tmp_path / "metrics.jsonl"
    reader = MetricsReader(path)
    assert list(reader.read()) == []
    path.write_text('{"time": 1, "step": 2, "values": {"loss": 0.5}}\nnoise\n[]\n{"values": {}}\n')
    assert list(reader.read()) == [Metrics(1.0, {"loss": 0.5}, 2)]
    with path.open("a") as file:
        file.write('{"time": 2, "values": {"loss": "high"}}\n{"time": 3}\n{"time"')
    assert list(reader.read()) == [Metrics(3.0)]


@pytest.mark.parametrize(
    ("record", "texts"),
    [
        ("4 stdout.txt\n4 stderr.txt\n4 stdout.txt\n", ["one", "two", "ten", "six"]),
        # What it does not say comes last, as in an attempt whose supervisor was killed.
        ("4 stderr.txt\n4 stdout.txt\n", ["two", "one", "ten", "six"]),
        ("4 stderr.txt\n4 std", ["two", "one", "ten", "six"]),
        # Damaged, it says nothing wrong.
        (
            f"{'9' * 5000} stdout.txt\nx\n-1 stdout.txt\n9 \n4 ../stderr.txt\n999 stderr.txt\n",
            ["two", "six", "one", "ten"],
        ),
        ("", ["one", "ten", "two", "six"]),
    ],
)
def test_lines_come_in_the_order_of_the_record(tmp_path, record, texts):
    write(tmp_path, stdout="one\nten\n", stderr="two\nsix\n")
    (tmp_path / "order").write_text(record)
    reader = LogReader(tmp_path, order=tmp_path / "order")
    assert [line.text for line in reader.read(final=True)] == texts
    assert list(reader.read(final=True)) == []


def test_what_was_read_before_it_was_recorded_is_not_read_again(tmp_path):
    reader = LogReader(tmp_path, order=tmp_path / "order")

    def read():
        return [line.text for line in reader.read(final=False)]

    write(tmp_path, stdout="one\ntw")
    assert read() == ["one"]
    write(tmp_path, stdout="o\n", stderr="three\nfour\n")
    (tmp_path / "order").write_text("8 stdout.txt\n6 stderr.txt\n")
    write(tmp_path, stdout="five\n")
    assert read() == ["two", "three", "five", "four"]
