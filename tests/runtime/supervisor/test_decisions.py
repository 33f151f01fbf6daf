"""Whom a supervisor blames, when it waits and when it ends a gang: events in, instructions out."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bai.runtime.supervisor.decisions import (
    CULPRIT_SECONDS,
    ENDED_SECONDS,
    HALTED_SECONDS,
    Complete,
    Decisions,
    EndAll,
    Ended,
    Exited,
    Finished,
    Halted,
    LogsBroken,
    NodeLost,
    Say,
    Stage,
    Started,
    StopAsked,
    Symptom,
    Tick,
)


def decided(*events, silence=0.0):
    """Feed (time, event) pairs, and return all instructions; `EndAll` is obeyed at once."""
    decisions, found = Decisions(silence), []
    for time, event in events:
        new = decisions.handle(event, time)
        found += new
        if EndAll() in new:
            found += decisions.handle(Ended(), time)
    return found


def outcome(*events, silence=0.0):
    last = decided((0, Started("a")), (0, Started("b")), (0, Complete()), *events, silence=silence)
    assert isinstance(last[-1], Finished), "it goes on"
    return last[-1].outcome


def test_all_that_are_awaited_have_succeeded():
    found = outcome((1, Exited("a", 0)), (2, Exited("b", 0)))
    assert (found.failure, found.stopped, found.lost) == (None, None, None)


def test_nothing_ends_before_all_are_started():
    assert decided((0, Started("a")), (0, Exited("a", 0)), (1, Tick())) == []
    assert decided((0, Started("a")), (0, Exited("a", 3)), (1, Complete()))[0] == EndAll()


def test_a_failure_of_its_own_ends_all_at_once():
    assert str(outcome((1, Exited("b", 3))).failure) == "b failed first with exit code 3"


def test_the_rank_at_fault_is_waited_for():
    complaint = (1, Symptom("a")), (1, Exited("a", 1))
    assert outcome(*complaint, (1 + CULPRIT_SECONDS, Exited("b", 9))).failure.name == "b"
    late = outcome(*complaint, (1.1 + CULPRIT_SECONDS, Tick()))
    assert late.failure.name == "a"


def test_what_names_the_rank_that_failed_under_mpirun_may_come_last():
    decisions = Decisions()
    decisions.handle(Started("mpirun"), 0)
    decisions.handle(Started("rank 1", awaited=False), 0)
    decisions.handle(Complete(), 0)
    assert decisions.handle(Exited("mpirun", 9), 1) == [EndAll()]
    # From another node, before that has ended its processes.
    decisions.handle(Symptom("rank 1", 1), 1)
    decisions.handle(Exited("rank 1", 0), 1)
    [finished] = decisions.handle(Ended(), 1)
    assert str(finished.outcome.failure) == "rank 1 failed first with exit code 9"


def test_a_stop_is_no_reason_once_a_process_has_failed():
    found = outcome((1, Symptom("a")), (1, Exited("a", 1)), (2, StopAsked("cancel")))
    assert (found.failure.name, found.stopped) == ("a", None)
    assert outcome((2, StopAsked("cancel"))).stopped == "cancel"


def test_a_lost_node_is_the_cause_of_complaints_but_not_of_a_failure():
    lost = NodeLost("n1", "it says nothing")
    complaints = (1, Symptom("a")), (1, Exited("a", 1))
    # The node's silence is noticed later than the complaints are there.
    found = outcome(*complaints, (9, Tick()), (10, lost), silence=10.0)
    assert (found.failure, found.lost) == (None, lost)


def test_a_stopped_process_is_said_and_not_waited_for_without_end():
    found = decided(
        (0, Started("a")),
        (0, Complete()),
        (1, Halted("a", halted=True)),
        (2, Halted("a", halted=False)),
        (3, Halted("a", halted=True)),
        (2 + HALTED_SECONDS, Tick()),
        (4 + HALTED_SECONDS, Tick()),
    )
    said = [each.message for each in found if isinstance(each, Say)]
    assert said == [
        "a signal has stopped a: the job waits 10 minutes for it",
        "a goes on",
        "a signal has stopped a: the job waits 10 minutes for it",
    ]
    assert found[-1].outcome.halted == "a"


def test_what_others_go_on_without_is_said_once():
    events = (
        (0, Started("a")),
        (0, Started("b")),
        (0, Started("c")),
        (0, Complete()),
        (1, Exited("b", 0)),
        (1 + ENDED_SECONDS, Tick()),
        (2 + ENDED_SECONDS, Tick()),
        (3 + ENDED_SECONDS, Exited("a", 0)),
        (9 + 2 * ENDED_SECONDS, Tick()),
    )
    (said,) = decided(*events)
    assert said.message == "b ended with exit code 0; the job waits for a and 1 other"
    asked = decided(*events, (999, StopAsked("timed out")))[-1].outcome
    assert (asked.stopped, asked.ended) == ("timed out", "b and 1 other ended with exit code 0")
    assert asked.failure is None


def test_a_process_that_ended_is_the_culprit_of_what_complains_of_it():
    complaint = (2, Symptom("a")), (3, Exited("a", 1))
    assert outcome((1, Exited("b", 0)), *complaint).failure.culprit == "b"
    # It may end a little later.
    assert outcome(*complaint, (4, Exited("b", 0))).failure.culprit == "b"


@pytest.mark.parametrize("event", [LogsBroken(), StopAsked("cancel"), NodeLost("n", "cable")])
def test_what_ends_after_the_end_is_not_to_blame(event):
    decisions = Decisions()
    for each in (Started("a"), Complete()):
        decisions.handle(each, 0)
    assert decisions.handle(event, 1) == [EndAll()]
    assert decisions.handle(Exited("a", 1), 2) == []
    (finished,) = decisions.handle(Ended(("7",)), 3)
    assert finished.outcome.failure is None
    assert finished.outcome.survivors == ("7",)


NAMES = st.sampled_from(["a", "b", "c", "service"])


class AnyOrder(RuleBasedStateMachine):
    """Events in any order and at any time."""

    def __init__(self):
        super().__init__()
        self.decisions = Decisions(silence=8.0)
        self.now, self.given, self.events = 0.0, [], []
        self.alive, self.failed, self.halted = set(), set(), {}
        for name in ("a", "b", "c"):
            self.feed(Started(name))
            self.alive.add(name)
        self.feed(Started("service", awaited=False))
        self.alive.add("service")

    def feed(self, event):
        self.events.append((self.now, event))
        self.given += self.decisions.handle(event, self.now)

    @rule(seconds=st.floats(0, 700))
    def pass_time(self, seconds):
        self.now += seconds
        self.feed(Tick())

    @rule()
    def complete(self):
        self.feed(Complete())

    @rule(name=NAMES, code=st.sampled_from([0, 0, 1, 9, 143, 139]))
    def exit(self, name, code):
        if name in self.alive:
            self.alive.remove(name)
            if code and EndAll() not in self.given:
                self.failed.add(name)
            self.feed(Exited(name, code))

    @rule(name=NAMES)
    def complain(self, name):
        self.feed(Symptom(name))

    @rule(name=NAMES, halted=st.booleans())
    def halt(self, name, halted):
        if name in self.alive:
            self.feed(Halted(name, halted))

    @rule(event=st.sampled_from([StopAsked("cancel"), NodeLost("n", "off"), LogsBroken()]))
    def interrupt(self, event):
        self.feed(event)

    @precondition(lambda self: EndAll() in self.given)
    @rule()
    def end(self):
        self.feed(Ended())

    @invariant()
    def it_ends_once_and_finishes_once_after_that(self):
        kinds = [type(each) for each in self.given]
        assert kinds.count(EndAll) <= 1
        assert kinds.count(Finished) <= 1
        if Finished in kinds:
            assert EndAll in kinds[: kinds.index(Finished)]
            assert kinds[-1] is Finished

    @invariant()
    def the_outcome_has_one_cause_and_names_a_process_that_failed(self):
        for each in self.given:
            if isinstance(each, Finished):
                found = each.outcome
                causes = [found.failure, found.lost, found.halted, found.stopped]
                assert sum(cause is not None for cause in causes) <= 1
                assert found.failure is None or found.failure.name in self.failed

    @invariant()
    def it_never_waits_for_nothing(self):
        begun = any(isinstance(event, Complete) for _, event in self.events)
        if begun and self.decisions.stage is Stage.RUNNING:
            assert self.alive - {"service"}

    @invariant()
    def the_log_alone_leads_to_the_same_decisions(self):
        again = Decisions(silence=8.0)
        found = [one for time, event in self.decisions.log for one in again.handle(event, time)]
        assert found == self.given


TestAnyOrder = AnyOrder.TestCase
