"""Which attempts start, and the reasons of those that wait."""

import pytest
from schedules import A, B, State

from bai.runtime.scheduling.records import AutoScale, Ending, ManualScale, NodeState
from bai.runtime.scheduling.waiting import waiting


def started(state, slots=None):
    return [(start.attempt, start.nodes) for start in state.schedule(slots)]


def why(state, attempt, slots=None, scale=None):
    queued = state.queued(attempt)
    scale = scale or ManualScale(state.counts(queued.cluster).size)
    return str(waiting(state, queued, slots, scale) or "")


def test_a_gang_starts_on_the_lowest_idle_nodes_or_not_at_all():
    state = State({A: 5})
    state.add("first", A, 2), state.add("second", A, 3)
    state.change(A, [1], NodeState.UNUSABLE, 0)

    assert started(state) == [("first", (0, 2))]
    assert why(state, "second") == (
        "waits for 3 nodes of cluster a: 2 of 5 free, first holds 2, "
        "1 is unusable (`bai get nodes` says why)"
    )

    state.end_run("first")
    assert started(state) == [("second", (0, 2, 3))]


def test_priority_comes_before_age_and_the_first_holds_up_the_rest():
    state = State({A: 3})
    state.add("old", A, 1, priority=0), state.add("large", A, 4), state.add("small", A, 1)

    assert started(state) == []
    assert why(state, "large") == "waits for 4 nodes: cluster a has only 3 now"
    assert why(state, "small") == "waits for its turn on cluster a, after large"
    assert why(state, "old") == "waits for its turn on cluster a, after large and 1 other"

    state.withdraw("large")
    assert started(state) == [("small", (0,)), ("old", (1,))]


def test_what_lacks_slots_holds_up_younger_ones_of_every_cluster():
    state = State({A: 2, B: 2})
    state.add("running", A, 1, 2), state.add("large", A, 1, 4), state.add("small", B, 1, 1)

    assert started(state, slots=4) == [("running", (0,))]
    assert why(state, "large", 4) == (
        "waits for 4 processes of this machine: 2 of 4 free, running holds 2"
    )
    assert why(state, "small", 4) == "waits for its turn on this machine, after large"
    assert why(state, "small") == ""

    state.end_run("running")
    assert started(state, slots=4) == [("large", (0,))]


def test_what_lacks_nodes_holds_up_its_own_cluster_only():
    state = State({A: 1, B: 2})
    state.add("large", A, 2, 1), state.add("small", B, 1, 1)

    assert started(state, slots=4) == [("small", (0,))]


def test_one_attempt_alone_may_have_more_processes_than_slots():
    state = State({A: 1, B: 1})
    state.add("huge", A, 1, 9), state.add("small", B, 1, 1)

    assert started(state, slots=2) == [("huge", (0,))]
    assert why(state, "small", 2) == (
        "waits for 1 process of this machine: 0 of 2 free, huge holds 9"
    )


def test_a_wait_names_five_holders_and_counts_the_others():
    state = State({A: 9})
    for number in range(9):
        state.add(f"j{number}", A, 1)
    state.schedule(None)
    state.add("late", A, 1)

    assert why(state, "late") == (
        "waits for 1 node of cluster a: 0 of 9 free, j0 holds 1, j1 holds 1, j2 holds 1, "
        "j3 holds 1, j4 holds 1, others hold 4"
    )


@pytest.mark.parametrize(
    ("scale", "reason"),
    [
        (ManualScale(3), "3 nodes of cluster a: 0 of 3 free, 3 are being prepared"),
        (ManualScale(4), "3 nodes of cluster a: 0 of 3 free, 3 are being prepared"),
        (AutoScale(0, 2), "3 nodes: cluster a scales to 2 at most"),
    ],
)
def test_a_wait_tells_of_nodes_to_come(scale, reason):
    state = State({A: 3})
    state.change(A, range(3), NodeState.PREPARING, 0)
    state.add("train", A, 3)

    assert why(state, "train", scale=scale) == f"waits for {reason}"


def test_a_wait_tells_that_the_cluster_grows():
    state = State({A: 2})
    state.add("train", A, 3)

    assert why(state, "train", scale=ManualScale(4)) == (
        "waits for 3 nodes: cluster a has only 2 now, and is resizing to 4"
    )


def test_what_is_queued_again_keeps_its_priority_and_age():
    state = State({A: 2})
    state.add("first", A, 2), state.add("second", A, 2)
    state.schedule(None)
    state.ask_to_end("first", Ending.REQUEUE)
    state.end_run("first")

    assert started(state) == [("first", (0, 1))]


def test_what_ended_by_itself_is_not_queued_again():
    state = State({A: 2})
    state.add("first", A, 2), state.add("second", A, 2)
    state.schedule(None)
    state.ask_to_end("first", Ending.REQUEUE)
    state.end_run("first", by_itself=True)

    assert started(state) == [("second", (0, 1))]
