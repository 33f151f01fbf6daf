"""From pipes to logs: every byte, in whole lines where lines carry labels."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bai.runtime.jobs.log_order import LogOrder
from bai.runtime.jobs.logs import LogFile
from bai.runtime.node.streams import MAX_LINE, Pump, Streams


def pumped(folder, pieces, label=b""):
    """Write pieces into a pipe, pumping after each, and return what the log got."""
    path = folder / "log"
    path.unlink(missing_ok=True)
    reading, writing = os.pipe()
    log = LogFile(path)
    pump = Pump(reading, log.write, label)
    for piece in pieces:
        os.write(writing, piece)
        pump.drain()
    os.close(writing)
    pump.drain()
    assert pump.ended
    os.close(reading)
    log.close()
    return path.read_bytes()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=200), max_size=10))
def test_without_a_label_every_byte_passes_as_it_is(tmp_path, pieces):
    assert pumped(tmp_path, pieces) == b"".join(pieces)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from([b"a", b"\xff", b"\0", b"\n", b"\r", b"\r\n"]), min_size=1),
        max_size=8,
    )
)
def test_however_lines_are_cut_they_get_one_label_each(tmp_path, pieces):
    joined = [b"".join(piece) for piece in pieces]
    text = b"".join(joined).replace(b"\r\n", b"\n")
    # What a carriage return ends at the very end is an end like others.
    text = text.removesuffix(b"\r") + b"\n" * text.endswith(b"\r")
    lines = text.replace(b"\r", b"\r\n").split(b"\n")
    if not lines[-1]:
        lines.pop()
    expected = b"".join(b"[1]<stdout>: " + line + b"\n" for line in lines)
    assert pumped(tmp_path, joined, b"[1]<stdout>: ") == expected


def test_a_progress_bar_is_written_while_it_moves(tmp_path):
    reading, writing = os.pipe()
    streams, log = Streams(), LogFile(tmp_path / "log")
    streams.pump(reading, log.write, b"[0]<stderr>: ")
    os.write(writing, b"10%\r20%\r30%")
    streams.drain()
    assert (tmp_path / "log").read_bytes() == b"[0]<stderr>: 10%\r\n[0]<stderr>: 20%\r\n"
    os.close(writing)
    streams.drain()
    assert (tmp_path / "log").read_text().splitlines()[-1] == "[0]<stderr>: 30%"
    streams.close()


def test_a_line_without_an_end_does_not_fill_the_memory(tmp_path):
    text = b"x" * 32768
    found = pumped(tmp_path, [text] * 5, b"[0]<stdout>: ")
    lines = found.split(b"\n")
    assert all(len(line) <= 2 * MAX_LINE for line in lines)
    assert b"".join(line.removeprefix(b"[0]<stdout>: ") for line in lines) == text * 5


def test_lines_of_two_pumps_do_not_mix(tmp_path):
    streams, log = Streams(), LogFile(tmp_path / "log")
    pipes = [os.pipe() for _ in range(2)]
    for rank, (reading, _) in enumerate(pipes):
        streams.pump(reading, log.write, f"[{rank}]<stdout>: ".encode())
    for piece in (b"be", b"gin\nen", b"d\n"):
        for _, writing in pipes:
            os.write(writing, piece)
        streams.step(1)
    for _, writing in pipes:
        os.close(writing)
    streams.drain()
    streams.close()
    lines = (tmp_path / "log").read_text().splitlines()
    assert sorted(lines) == [f"[{r}]<stdout>: {w}" for r in (0, 1) for w in ("begin", "end")]


def test_a_log_that_can_t_be_written_closes_all_pipes_and_is_named(tmp_path):
    streams = Streams()
    pipes = [os.pipe() for _ in range(2)]
    (tmp_path / "full").symlink_to("/dev/full")
    streams.pump(pipes[0][0], LogFile(tmp_path / "full").write)
    streams.pump(pipes[1][0], LogFile(tmp_path / "good").write)
    os.write(pipes[0][1], b"lost\n")
    streams.drain()
    assert streams.broken is not None
    assert streams.broken.filename == str(tmp_path / "full")
    for _, writing in pipes:
        with pytest.raises(BrokenPipeError):
            os.write(writing, b"more\n")
        os.close(writing)
    streams.close()


def test_output_that_is_held_stays_in_its_pipe():
    streams, got = Streams(), []
    reading, writing = os.pipe()
    streams.pump(reading, got.append)
    streams.hold(held=True)
    os.write(writing, b"more")
    streams.step(0)
    assert got == []
    streams.hold(held=False)
    streams.step(1)
    assert got == [b"more"]
    os.close(writing)
    streams.close()


def test_the_order_of_logs_is_recorded_in_runs(tmp_path):
    order = LogOrder(tmp_path / "order")
    first, second = (LogFile(tmp_path / name, order) for name in ("first", "second"))
    for log, data in ((first, b"ab"), (first, b"c"), (second, b"d"), (first, b"e")):
        log.write(data)
    # The run that goes on is not recorded yet.
    assert (tmp_path / "order").read_text() == "3 first\n1 second\n"
    first.write(b"f")
    order.close()
    assert (tmp_path / "order").read_text() == "3 first\n1 second\n5 first\n"
    for log in (first, second):
        log.close()


def test_the_order_goes_on_where_an_earlier_run_has_ended(tmp_path):
    for data in (b"ab", b"c"):
        order = LogOrder(tmp_path / "order")
        log = LogFile(tmp_path / "log", order)
        log.write(data)
        log.close()
        order.close()
    assert (tmp_path / "order").read_text() == "2 log\n3 log\n"


def test_logs_are_written_where_their_order_can_t_be(tmp_path):
    order = LogOrder(tmp_path / "missing" / "order")
    first, second = (LogFile(tmp_path / name, order) for name in ("first", "second"))
    for log in (first, second, first):
        log.write(b"x")
        log.write(b"y")
    order.close()
    assert [(tmp_path / name).read_bytes() for name in ("first", "second")] == [b"xyxy", b"xy"]
    first.close()
    second.close()
