"""What commands write, down to the column."""

import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.cli.render.copying import CopyLine
from bai.cli.render.copying import line as copy_line
from bai.cli.render.progress import Progress, progress_line
from bai.cli.render.screen import Screen, format_line
from bai.cli.render.style import Style
from bai.cli.render.table import print_table
from bai.cli.render.width import columns, fit, printable
from bai.readers import LogLine
from bai.runtime.storage.copying import Progress as CopyProgress
from bai.specs.words import duration

PLAIN = Style(io.StringIO())


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Recorder(io.StringIO):
    """Keeps what each single write was."""

    def __init__(self):
        super().__init__()
        self.writes = []

    def isatty(self):
        return True

    def write(self, text):
        self.writes.append(text)
        return super().write(text)


TRAIN = Progress("train", "1m20s", "running", 30, 100, ("loss 0.1234", "accuracy 0.91"))
OTHER = Progress("evaluate", "2s", "queued")


@pytest.mark.parametrize(
    ("jobs", "width", "line"),
    [
        ([], 79, ""),
        ([TRAIN], 79, "train  1m20s  ███░░░░░░░ 30/100  loss 0.1234  accuracy 0.91"),
        ([TRAIN], 50, "train  1m20s  30/100  loss 0.1234  accuracy 0.91"),
        ([TRAIN], 40, "train  1m20s  30/100  loss 0.1234"),
        ([TRAIN], 24, "train  1m20s  30/100"),
        ([OTHER], 12, "evaluate  2s"),
        (
            [TRAIN, TRAIN],
            79,
            "train  1m20s  30/100  loss 0.1234   train  1m20s  30/100  loss 0.1234",
        ),
        (
            [TRAIN, OTHER],
            79,
            "train  1m20s  █░░░░ 30/100  loss 0.1234  accuracy 0.91   evaluate  2s  queued",
        ),
        ([OTHER, TRAIN, TRAIN], 60, "1 queued, 2 running   train  1m20s  30/100"),
        # Names give way to states, and first what they have in common.
        (
            [replace(OTHER, name=f"digits-sweep-{n}", word="queued") for n in ("one", "two")],
            40,
            "…one  2s  queued   …two  2s  queued",
        ),
        (
            [replace(TRAIN, name=f"digits/lr-{n}/first") for n in (1, 2)],
            60,
            "…1…  1m20s  30/100   …2…  1m20s  30/100",
        ),
        (
            [replace(OTHER, name=n) for n in ("the-first-of-all", "another", "third")],
            66,
            "the-first-o…  2s  queued   another  2s  queued   third  2s  queued",
        ),
        (
            [replace(OTHER, name="a", state="waits for 1 node of cluster c"), OTHER],
            46,
            "a  2s  waits for 1 nod…   evaluate  2s  queued",
        ),
    ],
)
def test_progress_shows_whole_values_in_the_room_there_is(jobs, width, line):
    assert progress_line(jobs, width).startswith(line)


@given(st.lists(st.sampled_from([TRAIN, OTHER]), min_size=1, max_size=3), st.integers(77, 200))
def test_progress_of_a_few_jobs_fits_a_terminal(jobs, width):
    assert columns(progress_line(jobs, width)) <= width


NAMES = st.sampled_from(["digits-a", "digits-b-long-name", "digits/sweep-1", "", "-", "x" * 50])


@given(st.lists(NAMES, min_size=2, max_size=40), st.integers(60, 120))
def test_progress_of_many_jobs_shows_all_states(names, width):
    jobs = [
        replace(OTHER, name=name, word="queued") if number % 3 else replace(TRAIN, name=name)
        for number, name in enumerate(names)
    ]
    line = progress_line(jobs, width)
    assert columns(line) <= width
    counted = [int(count) for count in re.findall(r"(\d+) (?:queued|running)(?:,|  |$)", line)]
    beside = line.count("  queued") + line.count("30/100") == len(jobs)
    assert beside or sum(counted) == len(jobs)


@given(st.text(), st.integers(1, 40))
def test_a_fitted_text_fits(text, width):
    fitted = fit(text, width)
    assert columns(fitted) <= width
    assert fitted == text or fitted[:-1] == text[: len(fitted) - 1]
    if columns(text) <= width:
        assert fitted == text


@given(st.text())
def test_a_printable_text_takes_as_many_columns_and_moves_no_cursor(text):
    shown = printable(text)
    assert shown.isprintable()
    assert printable(shown) == shown
    if text.isprintable():
        assert columns(shown) == columns(text)


def test_tabs_and_wide_characters_are_counted():
    assert columns("a\tb") == 5
    assert columns("\t", 3) == 1
    assert columns("漢字") == 4
    assert columns("e\N{COMBINING ACUTE ACCENT}") == 1
    assert printable("a\tb\x1b") == "a   b\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-1, "0.0s"),
        (0.04, "0.0s"),
        (9.94, "9.9s"),
        (9.96, "10s"),
        (59.4, "59s"),
        (59.6, "1m"),
        (61, "1m1s"),
        (3600, "1h"),
        (3660, "1h1m"),
        (90000, "1d1h"),
    ],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


def test_columns_of_a_table_are_aligned_with_and_without_colours(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    rows = [["漢字", "failed", "1"], ["b", "succeeded", ""]]
    plain, painted = io.StringIO(), Terminal()
    print_table(["NAME", "STATE", "EXIT"], rows, plain)
    print_table(["NAME", "STATE", "EXIT"], rows, painted)
    assert plain.getvalue() == "NAME  STATE      EXIT\n漢字  failed     1\nb     succeeded\n"
    assert "\x1b[31mfailed\x1b[0m     1\n" in painted.getvalue()


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (
            41,
            [
                "NAME    WHERE              SIZE  AGE",
                "first   a-place-far-away   1     20s",
                "second  another-far-place  22    1m3s",
            ],
        ),
        (
            35,
            [
                "NAME    WHERE            SIZE  AGE",
                "first   a-place-far-aw…  1     20s",
                "second  another-far-pl…  22    1m3s",
            ],
        ),
        (
            31,
            [
                "NAME    WHERE              AGE",
                "first   a-place-far-away   20s",
                "second  another-far-place  1m3s",
                "no room for SIZE",
            ],
        ),
        (
            5,
            ["NAME    AGE", "first   20s", "second  1m3s", "no room for WHERE, SIZE"],
        ),
    ],
)
def test_a_table_on_a_narrow_terminal_shortens_columns_or_leaves_them_out(
    width, lines, monkeypatch
):
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    rows = [
        ["first", "a-place-far-away", "1", "20s"],
        ["second", "another-far-place", "22", "1m3s"],
    ]
    terminal, pipe = Terminal(), io.StringIO()
    print_table(["NAME", "WHERE", "SIZE", "AGE"], rows, terminal, ["SIZE", "WHERE"])
    assert terminal.getvalue().splitlines() == lines
    print_table(["NAME", "WHERE", "SIZE", "AGE"], rows, pipe, ["SIZE", "WHERE"])
    assert "another-far-place  22" in pipe.getvalue()


@pytest.mark.parametrize(
    ("line", "name", "ranks", "text"),
    [
        (LogLine("hi", "stdout"), None, True, "hi"),
        (LogLine("hi", "stdout", rank=3), None, True, "3 | hi"),
        (LogLine("hi", "stdout", rank=3), None, False, "hi"),
        (LogLine("hi", "stderr", source="wk-0"), "train", True, "train wk-0 | hi"),
        (LogLine("hi", "stdout"), "train", True, "train | hi"),
    ],
)
def test_log_lines_are_labelled(line, name, ranks, text):
    assert format_line(line, PLAIN, name, ranks=ranks) == text


def test_the_status_stays_below_the_lines_in_one_write(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    out = Recorder()
    screen = Screen(out)
    screen.show("half")
    screen.write("one")
    screen.write("two")
    screen.show("half")
    screen.show("half")
    screen.show()
    assert out.writes == ["half", "\r\x1b[2Kone\ntwo\nhalf", "\r\x1b[2K"]


def test_the_status_never_wraps_not_even_behind_the_mark_of_ctrl_c(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "10")
    out = Terminal()
    Screen(out).show("漢字\n漢字漢字")
    assert columns(out.getvalue() + "^C") <= 9
    assert "\n" not in out.getvalue()


def test_a_line_keeps_its_colours_but_moves_no_cursor(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    line = "\x1b[32mgreen\x1b[0m\x1b[2A\x1b[2K\x1b[Hend"
    terminal, pipe = Terminal(), io.StringIO()
    for out in (terminal, pipe):
        screen = Screen(out)
        screen.write(line)
        screen.show()
    assert terminal.getvalue() == "\x1b[32mgreen\x1b[0mend\n"
    assert pipe.getvalue() == f"{line}\n"


def test_a_pipe_gets_no_status():
    out = io.StringIO()
    screen = Screen(out)
    screen.write("one")
    screen.show("half")
    screen.show()
    assert out.getvalue() == "one\n"


@pytest.mark.parametrize(
    ("progress", "shown"),
    [
        (CopyProgress(1, 800, 0, 200), f"{'█' * 2}{'░' * 8} 200 of 800 bytes"),
        (
            CopyProgress(12, 4_000_000_000, 3, 10**9),
            f"{'█' * 2}{'░' * 8} 3 of 12 files, 1.0 of 4.0 GB",
        ),
        # A log that has grown meanwhile, and a pipe.
        (CopyProgress(2, 5_000, 2, 6_000), f"{'█' * 10} 2 of 2 files, 6.0 of 6.0 kB"),
        (CopyProgress(1, 0, 1, 0), f"{'░' * 10} 0 of 0 bytes"),
    ],
)
def test_a_copy_says_how_far_it_is(progress, shown):
    assert copy_line(progress) == f"copying {shown}"


def test_a_copy_says_how_fast_it_is_and_how_long_it_will_take():
    progress = CopyProgress(1200, 4_000_000_000, 300, 10**9)
    shown = copy_line(progress, 12.5)
    assert shown.endswith(" 300 of 1200 files, 1.0 of 4.0 GB, 80 MB/s, 38s left")
    assert columns(shown) < 80
    assert copy_line(CopyProgress(1, 800, 0, 800), 0.1).endswith(" 800 of 800 bytes, 8.0 kB/s")


def test_a_copy_is_shown_on_terminals_and_the_line_goes_with_it():
    for out, shown in ((Terminal(), "copying"), (io.StringIO(), "")):
        watch = CopyLine(out, quiet=0)
        watch(CopyProgress(1, 800, 0, 200))
        assert shown in out.getvalue()
        watch.close()
        assert out.getvalue().endswith("\r\x1b[2K" if shown else "")
