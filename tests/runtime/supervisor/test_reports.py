"""What a supervisor passes on of the reports of a script."""

import json
from types import SimpleNamespace

import pytest

from bai.metrics import report
from bai.runtime.node import new_lines
from bai.runtime.supervisor.reports import Reports


class Journal:
    def __init__(self):
        self.found = []

    def event(self, kind, message, data):
        assert (kind, message) == ("report", "")
        self.found.append((data.get("rank"), data["step"], data["values"]))


@pytest.fixture
def run(tmp_path, monkeypatch):
    path, journal, woken = tmp_path / "metrics.jsonl", Journal(), []
    monkeypatch.setenv("BAI_METRICS_FILE", str(path))
    monkeypatch.delenv("HOROVOD_RANK", raising=False)

    def start():
        return Reports(path, journal, lambda: woken.append(len(journal.found)))

    return SimpleNamespace(path=path, journal=journal, woken=woken, start=start)


def test_reports_are_passed_on_by_rank_and_step(run, monkeypatch):
    found = run.start()
    found.step()
    report(step=1, loss=0.5)
    monkeypatch.setenv("HOROVOD_RANK", "1")
    report(step=1, total=9, loss=0.25, accuracy=1)
    found.step()
    found.step()
    report(step=2, loss=float("inf"))
    found.step()
    assert run.journal.found == [
        (None, 1, {"loss": 0.5}),
        (1, 1, {"loss": 0.25, "accuracy": 1.0}),
        (1, 2, {"loss": float("inf")}),
    ]
    assert run.woken == [2, 3]


def test_what_has_no_step_is_not_compared(run):
    found = run.start()
    report(loss=1)
    found.step()
    assert (run.journal.found, run.woken) == ([], [])


def test_a_later_run_passes_on_only_its_own(run):
    report(step=1, loss=1)
    found = run.start()
    report(step=2, loss=2)
    found.finish()
    assert run.journal.found == [(None, 2, {"loss": 2.0})]


def test_half_a_line_waits_for_the_other_half(run):
    found = run.start()
    line = json.dumps({"time": 1, "step": 3, "values": {"loss": 1}}) + "\n"
    run.path.write_text(line[:20])
    found.step()
    assert run.journal.found == []
    run.path.write_text(line)
    found.step()
    assert run.journal.found == [(None, 3, {"loss": 1})]


@pytest.mark.parametrize(
    "wrong",
    [
        "\x00\xff not JSON",
        "[1, 2]",
        '{"time": 1, "step": "x", "values": {"loss": 1}}',
        '{"time": 1, "step": -1, "values": {"loss": 1}}',
        f'{{"time": 1, "step": {1 << 70}, "values": {{"loss": 1}}}}',
        '{"time": 1, "step": 1, "values": {"loss": "low"}}',
        '{"time": 1, "step": 1, "values": {}}',
        '{"time": 1, "step": 1, "rank": "first", "values": {"loss": 1}}',
    ],
)
def test_lines_that_are_no_reports_are_left_out(run, wrong):
    found = run.start()
    run.path.write_text(wrong + "\n")
    report(step=1, loss=1)
    found.step()
    assert run.journal.found == [(None, 1, {"loss": 1.0})]


def test_a_flood_is_passed_on_piece_by_piece_and_whole_in_the_end(run, monkeypatch):
    monkeypatch.setattr(new_lines, "PIECE", 200)
    found = run.start()
    run.path.write_text("x" * 1000 + "\n")
    for step in range(20):
        report(step=step, loss=step)
    for _ in range(8):
        found.step()
    assert 0 < len(run.journal.found) < 20
    found.finish()
    assert [step for _, step, _ in run.journal.found] == list(range(20))
