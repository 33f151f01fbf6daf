"""What members of sweeps report, and which of them end early for it."""

import math
import sqlite3
import statistics
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeping import FAILED, SWEEP, Place

from bai.compiler.resources.sweep import Goal, MedianRule, Objective, SuccessiveHalving, Sweep
from bai.runtime.jobs.journal import FileJournal, claim
from bai.runtime.jobs.records import StopReason, requeued
from bai.runtime.jobs.reports import REPORT, Report

LOSS = Objective("loss", Goal.MINIMIZE)
NAMES = ("a", "b", "c", "d")


class Members:
    """Four members that run, and report."""

    def __init__(self, folder, sweep):
        self.place = Place(folder)
        self.place.provider.put_sweep(sweep)
        self.uuids = dict(zip(NAMES, self.place.put(*NAMES), strict=True))
        self.place.provider.keep()
        self.journals = {}

    def journal(self, name):
        if name not in self.journals:
            uuid = self.uuids[name]
            folder, run = self.place.folder / "jobs" / uuid, self.attempt(name).run
            assert claim(folder, run)
            self.journals[name] = FileJournal(folder, run)
            self.journals[name].claimed("1", [0])
        return self.journals[name]

    def report(self, name, step, loss, rank=None, metric="loss"):
        report = Report(1e9, step, {metric: loss, "other": 1.0}, rank)
        self.journal(name).event(REPORT, "", report.to_json())

    def attempt(self, name):
        return self.place.store.attempts.get(self.uuids[name])

    def rows(self):
        """Return the (member, step, value, best) of all reports, in their order."""
        names = {uuid: name for name, uuid in self.uuids.items()}
        sql = "SELECT attempt, step, value, best FROM reports ORDER BY sequence"
        with closing(sqlite3.connect(self.place.folder / "state.db")) as database:
            return [(names[uuid], *rest) for uuid, *rest in database.execute(sql)]

    def stopped(self):
        return {name for name in NAMES if self.attempt(name).stop is StopReason.EARLY}

    def close(self):
        for journal in self.journals.values():
            journal.close()
        self.place.store.close()


@pytest.fixture
def members(tmp_path):
    made = []

    def make(rule=None, objective=LOSS):
        sweep = Sweep(SWEEP, None, None, objective, rule)
        made.append(Members(tmp_path / f"state-{len(made)}", sweep))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_a_member_that_does_worse_than_the_others_ends(members):
    found = members(MedianRule(after=2))
    for number, name in enumerate(NAMES):
        found.report(name, 1, 10 - number)
        found.report(name, 2, number)
    found.place.provider.keep()
    assert found.stopped() == {"d"}
    assert set(found.place.engine.stopped) == {found.uuids["d"]}
    said = found.place.said(found.uuids["d"])
    words = "stopped early at step 2: its best loss, 3, is worse than 1, the median of 3 other jobs"
    assert words in said
    assert REPORT not in {event.kind for event in found.place.provider.events(found.uuids["d"])}
    # What it reports until it has ended is recorded, and changes nothing.
    found.report("d", 3, 0.5)
    found.place.provider.keep()
    assert said == found.place.said(found.uuids["d"])
    assert found.rows()[-1] == ("d", 3, 0.5, 0.5)


def test_what_a_killed_command_did_not_ask_the_next_step_asks(members, monkeypatch):
    found = members(MedianRule())
    for number, name in enumerate(NAMES):
        found.report(name, 1, number)

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(found.place.engine, "stop", killed)
        with pytest.raises(KeyboardInterrupt):
            found.place.provider.keep()
    assert found.stopped() == {"d"}
    found.place.provider.keep()
    assert found.place.engine.stopped == [found.uuids["d"]]


def test_only_rank_0_and_the_metric_of_the_sweep_count(members):
    found = members(MedianRule(), Objective("accuracy", Goal.MAXIMIZE))
    found.report("a", 1, 0.5, rank=1, metric="accuracy")
    found.report("a", 1, 0.25, rank=0, metric="accuracy")
    found.report("a", 2, 0.125, metric="accuracy")
    found.report("a", 2, 0.75, metric="precision")
    found.place.provider.keep()
    assert found.rows() == [("a", 1, 0.25, 0.25), ("a", 2, 0.125, 0.25)]


def test_what_is_not_a_number_is_worse_than_any_number(members):
    found = members(MedianRule())
    for name in NAMES:
        found.report(name, 1, math.nan if name == "d" else 5.0)
    found.place.provider.keep()
    assert found.stopped() == {"d"}
    said = found.place.said(found.uuids["d"])
    assert any("its best loss, not a number, is worse than 5" in each for each in said)
    assert found.rows()[-1] == ("d", 1, None, None)


def test_without_a_rule_nothing_ends_and_with_a_new_one_old_reports_count(members):
    found = members()
    for number, name in enumerate(NAMES):
        found.report(name, 1, number)
    found.place.provider.keep()
    assert found.stopped() == set()
    found.place.provider.put_sweep(Sweep(SWEEP, None, None, LOSS, MedianRule()))
    found.report("d", 2, 9)
    found.report("c", 1, 9)
    found.place.provider.keep()
    assert found.stopped() == {"c"}


def test_only_runs_that_may_end_early_wake_somebody(members):
    compared = {True: members(MedianRule()), False: members()}
    for is_compared, found in compared.items():
        assert {spec.is_compared for spec in found.place.engine.launched} == {is_compared}


def test_another_metric_begins_anew(members):
    found = members(MedianRule())
    found.report("a", 1, 1)
    found.place.provider.keep()
    found.place.provider.put_sweep(Sweep(SWEEP, 2, None, LOSS, MedianRule()))
    assert len(found.rows()) == 1
    maximum = Objective("loss", Goal.MAXIMIZE)
    found.place.provider.put_sweep(Sweep(SWEEP, 2, None, maximum, MedianRule()))
    assert found.rows() == []


def test_a_job_is_not_compared_with_itself(members):
    found = members(MedianRule())
    for name in ("a", "b"):
        found.report(name, 1, 1)
    found.report("c", 1, 1)
    found.journal("c").end(FAILED)
    found.place.provider.keep()
    (again,) = found.place.put("c")
    found.uuids["c"] = again
    del found.journals["c"]
    found.place.provider.keep()
    found.report("c", 1, 9)
    found.place.provider.keep()
    # Its first attempt is no third competitor.
    assert found.stopped() == set()


def test_a_run_that_is_queued_again_keeps_what_it_reported(members):
    found = members(SuccessiveHalving(2, 1))
    found.report("a", 4, 1)
    found.place.store.attempts.ask_to_stop(found.uuids["a"], StopReason.REQUEUE)
    found.journal("a").end(requeued())
    found.place.provider.keep()
    del found.journals["a"]
    found.report("b", 4, 0.5)
    found.place.provider.keep()
    # It came past this step before the others did, and is not compared there again.
    found.report("a", 4, 2)
    found.place.provider.keep()
    assert found.stopped() == set()
    assert [row[:3] for row in found.rows()] == [("a", 4, 1), ("b", 4, 0.5), ("a", 4, 2)]


class Replay:
    """The rules in plain words, over all reports until now."""

    def __init__(self, rule, sign):
        self.rule, self.sign, self.reports = rule, sign, {name: [] for name in NAMES}

    def add(self, name, step, value):
        """Add a report; return whether its member is to end."""
        cost = math.inf if value is None else self.sign * value
        before = max((at for at, _ in self.reports[name]), default=-1)
        own = min([cost, *self._reported(name, step)])
        self.reports[name].append((step, own))
        others = [each for each in NAMES if each != name]
        if isinstance(self.rule, MedianRule):
            far = [each for each in others if max(dict(self.reports[each]), default=-1) >= step]
            costs = [self._reported(each, step)[-1] for each in far if self._reported(each, step)]
            enough = step >= self.rule.after and len(costs) >= 3
            return enough and own > statistics.median(costs)
        rungs = [self.rule.first * self.rule.factor**power for power in range(9)]
        rung = max((each for each in rungs if before < each <= step), default=None)
        if rung is None or any(rung < each <= step for each in rungs):
            return False
        costs = [own]
        for each in others:
            behind = [pair for pair in self.reports[each] if pair[0] >= rung]
            costs += [min(behind, key=lambda pair: pair[0])[1]] if behind else []
        kept = len(costs) // self.rule.factor
        return bool(kept) and own > sorted(costs)[kept - 1]

    def _reported(self, name, step):
        """Return the best costs of a member up to a step, by step and then by age."""
        return [cost for at, cost in sorted(self.reports[name], key=lambda p: p[0]) if at <= step]


RULES = st.one_of(
    st.builds(MedianRule, st.integers(0, 3)),
    st.builds(SuccessiveHalving, st.integers(2, 3), st.integers(1, 2)),
)
LOSSES = st.one_of(st.integers(0, 5).map(float), st.just(math.nan))
STEPS = st.one_of(
    st.tuples(st.sampled_from(NAMES), st.integers(0, 9), LOSSES), st.just("keep"), st.just("keep")
)


@settings(max_examples=60, deadline=None)
@given(RULES, st.sampled_from(Goal), st.lists(STEPS, max_size=40))
def test_the_same_reports_in_the_same_order_give_the_same_decisions(rule, goal, steps):
    with tempfile.TemporaryDirectory() as folder:
        sweep = Sweep(SWEEP, None, None, Objective("loss", goal), rule)
        found = Members(Path(folder) / "state", sweep)
        for step in [*steps, "keep"]:
            if step == "keep":
                found.place.provider.keep()
            else:
                found.report(*step)
        replay, stopped = Replay(rule, 1 if goal is Goal.MINIMIZE else -1), set()
        for name, step, value, _ in found.rows():
            if replay.add(name, step, value):
                stopped.add(name)
        assert found.stopped() == stopped
        assert len(found.rows()) == len([each for each in steps if each != "keep"])
        found.close()
