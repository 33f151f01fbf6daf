"""Random worlds in which the decisions must keep their invariants, and wrong ones must not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulating.handing_over import QueueingWorld, broken, steps_of
from simulating.mutants import mutant
from simulating.queries import check_queries
from simulating.runs import LENGTH, Setting, episode, run_seeds, shrunk, simulate, violation
from simulating.starvation import rounds_until_start
from simulating.world import KINDS, Step, World

SEEDS = 50
"""Episodes here; `make simulate` runs as many as one likes."""

numbers = st.integers(0, 255)
step = st.builds(Step, st.sampled_from(sorted(set(KINDS))), numbers, numbers, numbers)
steps = st.integers(0, 80).flatmap(lambda count: st.lists(step, min_size=count, max_size=count))
settings_of_worlds = st.builds(
    Setting,
    st.none() | st.integers(1, 10),
    st.lists(st.integers(0, 8), min_size=1, max_size=3).map(tuple),
)


@given(settings_of_worlds, steps)
def test_all_invariants_hold_after_any_steps(setting, steps):
    simulate(setting, steps)


@pytest.mark.slow
def test_all_invariants_hold_for_a_slice_of_seeds():
    assert run_seeds(0, SEEDS) == SEEDS * LENGTH


@given(settings_of_worlds, steps)
def test_the_state_in_memory_answers_as_a_plain_model(setting, steps):
    world = World(setting.slots, setting.sizes)
    for step in steps:
        world.do(step)
        check_queries(world.state, world.model, world.clock)


NEXT_LINE = "heapq.heappop(lines)\n            continue"
TRUE_REASON = "every wait has a true reason"
STARTABLE = "nothing that could start is queued"
IDLE_AGAIN = "ChangeNodes(running.cluster, idle, NodeState.IDLE)"
NOTHING_MORE = "after the failures nothing more starts"
FEWEST = "as few gangs as possible are hurt"

MUTANTS = [
    ("no node is held twice", "starts", {"islice(self._idle, count)": "range(count)"}),
    ("the lowest idle nodes", "starts", {"NodeState.IDLE)": "NodeState.IDLE, highest_first=True)"}),
    ("only idle nodes are used", "starts", {"NodeState.IDLE)": "NodeState.PREPARING)"}),
    ("a gang starts whole", "starts", {"head.nodes > line.free": "line.free < 1"}),
    ("a gang starts whole", "starts", {"self.free -= count": "self.free -= 1"}),
    ("priority, then age", "starts", {NEXT_LINE: f"if not line.advance(): {NEXT_LINE}"}),
    ("no starvation", "starts", {"            break": f"            {NEXT_LINE}"}),
    ("no starvation", "starts", {"(head.rank, _Line": "((0, -head.order), _Line"}),
    ("processes stay within slots", "starts", {"processes += head.processes": "pass"}),
    (STARTABLE, "starts", {"processes > 0 and ": ""}),
    (STARTABLE, "starts", {"following is not None": "False"}),
    (TRUE_REASON, "waiting", {"if count := view.before(queued)": "if count := 0"}),
    (TRUE_REASON, "waiting", {"held=counts.running": "held=counts.size"}),
    (TRUE_REASON, "waiting", {"preparing=counts.preparing": "preparing=0"}),
    (TRUE_REASON, "waiting", {"most=scale.maximum": "most=scale.minimum"}),
    (TRUE_REASON, "waiting", {"has_nodes and ": ""}),
    (TRUE_REASON, "waiting", {"if has_nodes and": "if not has_nodes and"}),
    (TRUE_REASON, "waiting", {"None if slots is None": "None if slots"}),
    ("an end frees all nodes", "ends", {"is NodeState.RUNNING": "is NodeState.PREPARING"}),
    ("an end frees all nodes", "ends", {"is NodeState.LEAVING)": "is NodeState.PREPARING)"}),
    (
        "what leaves goes at the end of its gang",
        "ends",
        {
            "RemoveNodes(running.cluster, gone)": (
                "ChangeNodes(running.cluster, gone, NodeState.IDLE)"
            )
        },
    ),
    ("queued again exactly where asked", "ends", {" and not by_itself": ""}),
    ("queued again exactly where asked", "ends", {"is Ending.REQUEUE": "is None"}),
    ("a gang ends whole", "ends", {"if node.attempt}": "if node.number < 2}"}),
    ("an attempt is asked to end once", "ends", {" and running.ending is None": ""}),
    ("the unusable stays so", "ends", {"is NodeState.RUNNING": "is not NodeState.LEAVING"}),
    ("a cluster has its target", "ends", {IDLE_AGAIN: "RemoveNodes(running.cluster, idle)"}),
    ("a resize reaches its target", "resize", {"if kept:": "if False:"}),
    ("a resize reaches its target", "resize", {"if drained:": "if False:"}),
    (
        "what leaves stays before nodes are added",
        "resize",
        {"counts.size + len(leaving) -": "counts.size -", "if kept:": "if False:"},
    ),
    (
        "the highest idle nodes go first",
        "resize",
        {"highest_first=True": "highest_first=False"},
    ),
    (
        "the useless go before the idle",
        "resize",
        {
            "_SPARE = NodeState.UNUSABLE": "_SPARE = NodeState.IDLE",
            "PREPARING, NodeState.IDLE": "PREPARING, NodeState.UNUSABLE",
        },
    ),
    (
        "the unusable go first",
        "resize",
        {"NodeState.UNUSABLE, NodeState.PREPARING": "NodeState.PREPARING, NodeState.UNUSABLE"},
    ),
    ("no gang is hurt in vain", "resize", {"list(hurt.values())": "list(view.gangs(cluster, 0))"}),
    ("nodes without a gang go first", "resize", {"spare = tuple": "spare = () and tuple"}),
    ("no gang loses a node", "resize", {" if node.attempt is None": ""}),
    ("gangs end as the option says", "resize", {"if not patient:": "if True:"}),
    ("gangs end as the option says", "resize", {"is Deallocation.REQUEUE": "is None"}),
    ("gangs on leaving nodes end", "resize", {"for gang in gangs)": "for gang in gangs[1:])"}),
    (FEWEST, "resize", {"view.largest_gangs(cluster)": "view.gangs(cluster, 0)"}),
    (FEWEST, "resize", {"in view.ending(cluster) if": "in () if"}),
    ("never below the minimum", "autoscale", {"min(-lacking, size - scale.minimum)": "-lacking"}),
    ("never below the minimum", "autoscale", {"max(lacking, scale.minimum - size)": "lacking"}),
    ("never above the maximum", "autoscale", {"counts.size > scale.maximum": "False"}),
    ("never above the maximum", "autoscale", {", scale.maximum - size)": ", 99)"}),
    ("up at once to what is needed", "autoscale", {"counts.leaving + queued": "counts.leaving"}),
    ("only what was idle for long goes", "autoscale", {"now - idle_time": "now"}),
    ("only idle nodes go", "autoscale", {"NodeState.IDLE, since": "NodeState.PREPARING, since"}),
    ("only held nodes run or leave", "autoscale", {"NodeState.LEAVING": "NodeState.IDLE"}),
    ("a number has one node", "autoscale", {"view.absent(cluster)": "range(99)"}),
    ("no gang loses a node", "autoscale", {"if node.attempt is None": ""}),
    (
        "no more members are active than the concurrency",
        "sweeps",
        {"sweep.concurrency - view.active(sweep.sweep)": "sweep.concurrency"},
    ),
    ("no member is held while there is room", "sweeps", {"max(0, sweep": "max(0, -1 + sweep"}),
    (
        "the oldest member is released first",
        "sweeps",
        {"islice(view.held(sweep.sweep),": "islice(reversed([*view.held(sweep.sweep)]),"},
    ),
    (NOTHING_MORE, "sweeps", {"if sweep.has_failed:": "if False:"}),
    ("after the failures no member is left", "sweeps", {"view.unstarted(": "view.held("}),
    (
        "members are cancelled after the failures only",
        "sweeps",
        {"if sweep.has_failed:": "if sweep.failures:"},
    ),
    (TRUE_REASON, "sweeps", {"before < places": "before <= places"}),
    (TRUE_REASON, "sweeps", {"needed=before": "needed=0"}),
]


@pytest.mark.parametrize(("invariant", "module", "changes"), MUTANTS)
def test_a_wrong_decision_violates_an_invariant(invariant, module, changes):
    rules = mutant(module, changes)
    assert any(violation(*episode(seed), rules) == invariant for seed in range(100))


@pytest.mark.parametrize("seed", range(20))
def test_an_engine_with_a_queue_gets_all_that_is_queued(seed):
    world = QueueingWorld()
    for step in steps_of(seed):
        world.do(step)
        check_queries(world.state, world.model, world.clock)


@pytest.mark.parametrize(
    ("invariant", "module", "changes"),
    [
        (
            "priority, then age",
            "starts",
            {"key=lambda each: each.rank": "key=lambda each: each.order"},
        ),
        ("nothing waits in bai", "starts", {"heapq.merge(*lines,": "heapq.merge(*lines[:1],"}),
        ("an attempt is handed over once", "starts", {"in queued)": "in [*queued] * 2)"}),
        ("no member is held while there is room", "sweeps", {"max(0, sweep": "max(0, -1 + sweep"}),
        (NOTHING_MORE, "sweeps", {"if sweep.has_failed:": "if False:"}),
    ],
)
def test_a_wrong_hand_over_violates_an_invariant(invariant, module, changes):
    rules = mutant(module, changes)
    assert any(broken(seed, rules) == invariant for seed in range(20))


@pytest.mark.parametrize("seed", range(20))
def test_no_adversary_keeps_an_attempt_waiting_for_ever(seed):
    rounds, most = rounds_until_start(seed)
    assert rounds <= most


def test_an_adversary_finds_starvation():
    rules = mutant("starts", {"            break": f"            {NEXT_LINE}"})
    found = (rounds_until_start(seed, rules) for seed in range(20))
    assert any(rounds > most for rounds, most in found)


def test_a_failing_seed_is_shrunk_to_the_steps_that_it_needs():
    rules = mutant("starts", {"following is not None": "False"})
    setting, steps = episode(0)
    fewest = shrunk(setting, steps[:100], rules)

    assert violation(setting, fewest, rules) == STARTABLE
    for number in range(len(fewest)):
        assert violation(setting, fewest[:number] + fewest[number + 1 :], rules) != STARTABLE
    with pytest.raises(AssertionError, match=rf"{STARTABLE}.*\nseed 0: .*\n    Step\(kind="):
        run_seeds(0, 1, rules)
