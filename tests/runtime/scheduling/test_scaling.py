"""How clusters grow and shrink."""

import pytest
from schedules import A, State

from bai.runtime.scheduling.autoscale import autoscale, first_nodes
from bai.runtime.scheduling.ends import nodes_lost
from bai.runtime.scheduling.instructions import (
    AddNodes,
    ChangeNodes,
    RemoveNodes,
    Requeue,
    Terminate,
)
from bai.runtime.scheduling.records import (
    AutoScale,
    Deallocation,
    Ending,
    ManualScale,
    NodeState,
)
from bai.runtime.scheduling.resize import resize

IDLE, RUNNING, LEAVING = NodeState.IDLE, NodeState.RUNNING, NodeState.LEAVING
PREPARING, UNUSABLE = NodeState.PREPARING, NodeState.UNUSABLE


def with_gangs(size, *gangs, priorities=()):
    """Return a cluster with gangs of so many nodes, named a, b, c, ..."""
    state = State({A: size})
    for name, nodes, priority in zip("abcdef", gangs, [*priorities, *[1] * 6], strict=False):
        state.add(name, A, nodes, priority=priority)
        state.schedule(None)
    return state


def scaled(state, target, option=Deallocation.REQUEUE):
    instructions = resize(state, A, ManualScale(target, option))
    state.carry_out(instructions, 1)
    return instructions


def auto(state, low, high, now=1.0, idle_time=100.0):
    instructions = autoscale(state, A, AutoScale(low, high), now=now, idle_time=idle_time)
    state.carry_out(instructions, now)
    return instructions


def test_a_cluster_gets_its_first_nodes():
    assert first_nodes(A, ManualScale(2)) == (AddNodes(A, (0, 1)),)
    assert first_nodes(A, AutoScale(1, 4)) == (AddNodes(A, (0,)),)
    assert first_nodes(A, AutoScale(1, 4, 3)) == (AddNodes(A, (0, 1, 2)),)
    assert first_nodes(A, AutoScale(0, 4)) == ()


def test_growing_uses_the_lowest_numbers_that_are_free():
    state = State({A: 3})
    state.carry_out([RemoveNodes(A, (1,))], 0)

    assert scaled(state, 5) == (AddNodes(A, (1, 3, 4)),)
    assert state.states(A) == {IDLE: [0, 2], PREPARING: [1, 3, 4]}


def test_the_useless_go_first_and_then_the_highest_idle():
    state = with_gangs(8, 1, 1)
    state.change(A, [2], UNUSABLE, 0)
    state.change(A, [3], PREPARING, 0)

    assert scaled(state, 5) == (RemoveNodes(A, (2, 3, 7)),)
    assert scaled(state, 5) == ()


@pytest.mark.parametrize(
    ("option", "ask"),
    [(Deallocation.REQUEUE, Requeue), (Deallocation.TERMINATE, Terminate)],
)
def test_the_smallest_gang_that_suffices_gives_its_highest_nodes(option, ask):
    state = with_gangs(8, 4, 3, 1)

    assert scaled(state, 6, option) == (ChangeNodes(A, (5, 6), LEAVING), ask("b"))
    assert scaled(state, 6, option) == ()
    state.end_run("b")
    assert state.states(A) == {IDLE: [4], RUNNING: [0, 1, 2, 3, 7]}
    assert list(state.queue(A)) == ([] if ask is Terminate else [state.queued("b")])


def test_as_few_gangs_as_possible_are_hurt():
    state = with_gangs(8, 1, 1, 2, 4)

    assert scaled(state, 3) == (
        ChangeNodes(A, (1, 4, 5, 6, 7), LEAVING),
        Requeue("d"),
        Requeue("b"),
    )


def test_among_alike_the_lowest_priority_and_then_the_youngest_is_hurt():
    assert Requeue("b") in scaled(with_gangs(3, 1, 1, 1, priorities=[1, 0, 1]), 2)
    assert Requeue("c") in scaled(with_gangs(3, 1, 1, 1), 2)


def test_gangs_that_end_anyway_spare_others():
    state = with_gangs(4, 3, 1)
    state.ask_to_end("a", Ending.TERMINATE)

    assert scaled(state, 2) == (ChangeNodes(A, (1, 2), LEAVING),)


def test_nodes_drain_and_stay_if_the_cluster_grows_again():
    wait = Deallocation.WAIT_FOR_JOB_COMPLETION
    state = with_gangs(4, 2, 2)

    assert scaled(state, 1, wait) == (ChangeNodes(A, (1, 2, 3), LEAVING),)
    assert scaled(state, 1, wait) == ()
    state.end_run("b")
    assert state.states(A) == {RUNNING: [0], LEAVING: [1]}
    assert scaled(state, 3) == (ChangeNodes(A, (1,), RUNNING), AddNodes(A, (2,)))


def test_what_drains_already_goes_on_draining():
    wait = Deallocation.WAIT_FOR_JOB_COMPLETION
    state = with_gangs(4, 3, 1)
    state.change(A, [0, 1], LEAVING, 0)

    assert scaled(state, 3, wait) == (ChangeNodes(A, (0,), RUNNING),)


def test_a_lost_node_ends_its_gang_and_counts_to_the_target():
    state = with_gangs(3, 2)
    instructions = nodes_lost(state, A, [0, 1, 2])
    state.carry_out(instructions, 1)

    assert instructions == (ChangeNodes(A, (0, 1, 2), UNUSABLE), Terminate("a", lost_node=0))
    assert nodes_lost(state, A, [1]) == (ChangeNodes(A, (1,), UNUSABLE),)
    state.end_run("a")
    assert state.states(A) == {UNUSABLE: [0, 1, 2]}
    assert scaled(state, 3) == ()
    assert scaled(state, 1) == (RemoveNodes(A, (1, 2)),)


def test_a_lost_node_that_leaves_goes_on_leaving():
    state = with_gangs(2, 2)
    scaled(state, 1, Deallocation.WAIT_FOR_JOB_COMPLETION)

    assert nodes_lost(state, A, [1]) == (Terminate("a", lost_node=1),)


def test_an_automatic_scale_follows_the_queue():
    state = State({})
    state.add("a", A, 2), state.add("b", A, 3)

    assert auto(state, 1, 4) == (AddNodes(A, (0, 1, 2, 3)),)
    assert auto(state, 1, 4) == ()
    assert auto(state, 1, 9) == (AddNodes(A, (4,)),)


def test_an_automatic_scale_ignores_a_queue_that_can_never_start():
    state = State({})
    state.add("large", A, 5), state.add("small", A, 1)

    assert auto(state, 1, 4) == (AddNodes(A, (0,)),)


def test_an_automatic_scale_removes_what_was_idle_long_enough():
    state = with_gangs(4, 1)
    state.change(A, [2], IDLE, 50)

    assert auto(state, 0, 4, now=99) == ()
    assert auto(state, 0, 4, now=101) == (RemoveNodes(A, (1, 3)),)
    assert auto(state, 2, 4, now=151) == ()
    assert auto(state, 0, 4, now=151) == (RemoveNodes(A, (2,)),)


def test_a_stamp_of_the_future_keeps_no_node():
    state = State({A: 2})
    state.change(A, [0], IDLE, 1e9)

    assert auto(state, 0, 2, now=10) == (RemoveNodes(A, (0,)),)


def test_an_automatic_scale_replaces_what_stays_unusable():
    state = State({A: 2})
    state.change(A, [0], UNUSABLE, 0)

    assert auto(state, 2, 2, now=99) == ()
    assert auto(state, 2, 2, now=101) == (RemoveNodes(A, (0,)), AddNodes(A, (2,)))


def test_a_lower_maximum_ends_no_attempt():
    state = with_gangs(5, 2, 2)

    assert auto(state, 0, 3) == (RemoveNodes(A, (4,)), ChangeNodes(A, (3,), LEAVING))
    assert auto(state, 0, 3) == ()
    assert auto(state, 0, 5) == (ChangeNodes(A, (3,), RUNNING),)
