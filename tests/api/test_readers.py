"""Files that are read while others write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai import log_start, readers
from bai.log_lines import LogLine
from bai.metrics_reader import Metrics, MetricsReader
from bai.readers import LogReader
from bai.runtime.jobs.files import LOGS, FolderFiles
from bai.tail import Tail


def files(folder):
    """Return what reads the logs, and the records, of a folder."""
    return FolderFiles({LOGS: folder}, folder)


@given(st.lists(st.binary(max_size=8) | st.sampled_from([b"\n", b"a\nb"]), max_size=8))
def test_a_tail_loses_nothing_however_the_file_grows(tmp_path_factory, pieces):
    path = tmp_path_factory.mktemp("tail") / "log"
    tail, found = Tail(files(path.parent), LOGS, "log"), []
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
    assert list(LogReader(files(tmp_path)).read(final=True)) == [
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
    found = LogReader(files(tmp_path), rank, stream).read(final=True)
    assert [line.text for line in found] == texts


def test_logs_may_appear_late_and_begun_lines_wait(tmp_path):
    reader = LogReader(files(tmp_path / "logs"))
    assert list(reader.read(final=False)) == []
    (tmp_path / "logs").mkdir()
    write(tmp_path / "logs", stdout="one\ntw")
    assert [line.text for line in reader.read(final=False)] == ["one"]
    write(tmp_path / "logs", stdout="o\nthr", stderr="new\n")
    assert [line.text for line in reader.read(final=False)] == ["two", "new"]
    assert [line.text for line in reader.read(final=True)] == ["thr"]


def test_of_a_progress_bar_the_last_state_is_a_line(tmp_path):
    reader = LogReader(files(tmp_path))

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
    reader = LogReader(files(tmp_path))
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
    reader = MetricsReader(files(tmp_path))
    assert list(reader.read()) == []
    path.write_text('{"time": 1, "step": 2, "values": {"loss": 0.5}}\nnoise\n[]\n{"values": {}}\n')
    assert list(reader.read()) == [Metrics(1.0, {"loss": 0.5}, 2)]
    with path.open("a") as file:
        file.write('{"time": 2, "values": {"loss": "high"}}\n{"time": 3}\n{"time"')
    assert list(reader.read()) == []
    with path.open("a") as file:
        file.write(': 4, "loss": 1}\n')
    assert list(reader.read()) == [Metrics(4.0, {"loss": 1.0})]


@pytest.mark.parametrize(
    ("record", "texts"),
    [
        ("4 stdout.txt\n4 stderr.txt\n8 stdout.txt\n", ["one", "two", "ten", "six"]),
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
    (tmp_path / "log-order.txt").write_text(record)
    reader = LogReader(files(tmp_path))
    assert [line.text for line in reader.read(final=True)] == texts
    assert list(reader.read(final=True)) == []


def test_what_was_read_before_it_was_recorded_is_not_read_again(tmp_path):
    reader = LogReader(files(tmp_path))

    def read():
        return [line.text for line in reader.read(final=False)]

    write(tmp_path, stdout="one\ntw")
    assert read() == ["one"]
    write(tmp_path, stdout="o\n", stderr="three\nfour\n")
    (tmp_path / "log-order.txt").write_text("8 stdout.txt\n6 stderr.txt\n")
    write(tmp_path, stdout="five\n")
    assert read() == ["two", "three", "five", "four"]


LINES = st.sampled_from(
    [
        b"plain",
        b"",
        b"[0]<stdout>: zero",
        b"[0]<stdout>:unspaced",
        b"[0]<stdout>:",
        b"[1]<stderr>: one",
        b"[12]<stdout>: [0]<stdout>: twice",
        b"[007]<stdout>: padded",
        b"[0000000000]<stdout>: no rank",
        b"[0]<stdin>: no stream",
        b"\xc3\xa4 \xff",
        b"[1]<stdout>: half \xc3",
        b" 10%\r100%",
        b"[1]<stderr>: 10%\r",
        b"returned\r",
        "\u2028 [0]<stdout>: \x0b".encode(),
    ]
)
NAMES = ("stdout.txt", "stderr.txt", "stdout-wk-0.txt", "stderr-1.txt", "stdout-job_prep.txt")


@given(
    written=st.lists(st.tuples(st.sampled_from(NAMES), LINES, st.sampled_from([b"\n", b""]))),
    rank=st.sampled_from([None, 0, 1, "7", "wk-0"]),
    stream=st.sampled_from([None, "stdout", "stderr"]),
    recorded=st.integers(0, 20),
)
def test_the_text_of_logs_is_their_lines(tmp_path_factory, written, rank, stream, recorded):
    folder = tmp_path_factory.mktemp("logs")
    lines, text = (LogReader(files(folder), rank, stream) for _ in range(2))
    expected, found = [], b""
    for number, each in enumerate(written):
        append(folder, *each, recorded=number < recorded)
        if number % 3 == 0:
            expected += lines.read(final=False)
            found += b"".join(text.text(final=False))
    expected += lines.read(final=True)
    found += b"".join(text.text(final=True))
    shown = [str(line) if rank is None else line.text for line in expected]
    assert found.decode() == "".join(f"{line}\n" for line in shown)


def append(folder, name, line, end, *, recorded):
    with (folder / name).open("ab") as log:
        log.write(line + end)
        until = log.tell()
    if recorded:
        with (folder / "log-order.txt").open("ab") as order:
            order.write(b"%d %s\n" % (until, name.encode()))


@given(
    written=st.lists(st.tuples(st.sampled_from(NAMES), LINES, st.sampled_from([b"\n", b""]))),
    more=st.lists(st.tuples(st.sampled_from(NAMES), LINES, st.sampled_from([b"\n", b""]))),
    rank=st.sampled_from([None, 0, 1, "7", "wk-0"]),
    stream=st.sampled_from([None, "stdout", "stderr"]),
    recorded=st.integers(0, 40),
    count=st.integers(0, 9),
    least=st.integers(1, 60),
)
def test_the_last_lines_are_those_at_the_end_of_all(
    tmp_path_factory, written, more, rank, stream, recorded, count, least
):
    folder = tmp_path_factory.mktemp("logs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readers, "_LEAST", least)
        patch.setattr(readers, "_LINE", 1)
        patch.setattr(log_start, "_BLOCK", 8)
        whole = LogReader(files(folder), rank, stream)
        last, text = (LogReader(files(folder), rank, stream, count) for _ in range(2))
        for number, each in enumerate(written):
            append(folder, *each, recorded=number < recorded)
        expected = list(whole.read(final=False))
        expected = expected[-count:] if count else []
        assert list(last.read(final=False)) == expected
        found = b"".join(text.text(final=False))
        for number, each in enumerate(more, len(written)):
            append(folder, *each, recorded=number < recorded)
        added = list(whole.read(final=True))
        assert list(last.read(final=True)) == added
        found += b"".join(text.text(final=True))
    lines = [*expected, *added]
    shown = [str(line) if rank is None else line.text for line in lines]
    assert found.decode() == "".join(f"{line}\n" for line in shown)


def test_many_ranks_share_a_log(tmp_path):
    ranks = [*range(40), *range(40)]
    lines = [b"[%d]<stdout>: of %d\n" % (rank, rank) for rank in ranks]
    (tmp_path / "stdout.txt").write_bytes(b"".join(lines))
    shown = [b"%d | of %d\n" % (rank, rank) for rank in ranks]
    assert b"".join(LogReader(files(tmp_path)).text(final=True)) == b"".join(shown)


def test_what_only_looks_like_a_rank_is_text(tmp_path):
    write(tmp_path, stdout=f"[{'9' * 5000}]<stdout>: long\n[٣]<stdout>: three\n", stdout_3="x\n")
    (tmp_path / "stdout-³.txt").write_text("y\n")
    found = list(LogReader(files(tmp_path)).read(final=True))
    assert [(line.rank, line.source) for line in found] == [
        (3, None),
        (None, "³"),
        *[(None, None)] * 2,
    ]


class CountedFiles:
    """Files that count what is read."""

    def __init__(self, files):
        self._files = files
        self.read_bytes = 0
        self.reads = 0

    def list(self, directory, path=""):
        return self._files.list(directory, path)

    def read(self, directory, path, offset=0, size=None):
        data = self._files.read(directory, path, offset, size)
        self.reads += 1
        self.read_bytes += len(data)
        return data


def test_every_byte_is_read_once_however_often_the_logs_alternate(tmp_path):
    for name in ("stdout", "stderr"):
        (tmp_path / f"{name}.txt").write_text("line\n" * 1000)
    runs = (f"{5 * run} {name}.txt\n" for run in range(1, 1001) for name in ("stdout", "stderr"))
    record = "".join(runs)
    (tmp_path / "log-order.txt").write_text(record)
    counted = CountedFiles(files(tmp_path))
    text = b"".join(LogReader(counted).text(final=True))
    assert text == b"line\n" * 2000
    assert counted.read_bytes == 2 * 5000 + len(record)
    assert counted.reads < 10


@pytest.mark.parametrize("names", [["stdout"], ["stdout", "stderr"]])
@pytest.mark.parametrize("is_recorded", [True, False])
def test_the_last_lines_are_read_without_the_others(tmp_path, names, is_recorded):
    """Half a megabyte of lines of two ranks, and one that was written before all others."""
    with (tmp_path / "log-order.txt").open("w") as order:
        (tmp_path / "stderr-job_prep.txt").write_text("first\n")
        order.write("6 stderr-job_prep.txt\n")
        logs = [(name, (tmp_path / f"{name}.txt").open("w")) for name in names]
        for number in range(20_000 // len(names)):
            for rank, (name, log) in enumerate(logs):
                log.write(f"[{rank}]<{name}>: step {number:06}\n")
                if is_recorded:
                    order.write(f"{log.tell()} {name}.txt\n")
        for _, log in logs:
            log.close()
    whole = [line.text for line in LogReader(files(tmp_path)).read(final=True)]
    counted = CountedFiles(files(tmp_path))
    assert [line.text for line in LogReader(counted, last=9).read(final=True)] == whole[-9:]
    record = (tmp_path / "log-order.txt").stat().st_size
    assert counted.read_bytes - 2 * record < 200_000
    everything = LogReader(files(tmp_path), last=10**6).read(final=True)
    assert [line.text for line in everything] == whole
