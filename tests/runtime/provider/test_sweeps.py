"""Keeper steps over members of sweeps: how many are active, and what happens after failures."""

import pytest
from sweeping import CLUSTER, EXPERIMENT, FAILED, SWEEP, WORKSPACE, Place

from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.sweep import Sweep, SweepId
from bai.runtime.errors import NotFoundError
from bai.runtime.jobs.records import StopReason, failed, requeued
from bai.runtime.jobs.submitted import has_submitted


@pytest.fixture
def make(tmp_path):
    made = []

    def make(**settings):
        made.append(Place(tmp_path / "state", **settings))
        return made[-1]

    yield make
    for place in made:
        place.store.close()


@pytest.fixture
def place(make):
    return make()


def test_as_many_members_run_as_the_sweep_allows(place):
    place.provider.put_sweep(Sweep(SWEEP, concurrency=2))
    uuids = place.put("a", "b", "c", "d")
    assert place.outcomes(uuids) == ["running", "running", "queued", "queued"]
    assert place.waits(uuids[2:]) == [
        "waits for a place in the sweep train (2 at once)",
        "waits for a place in the sweep train (2 at once), after 1 other",
    ]
    place.end(uuids[1])
    assert place.outcomes(uuids) == ["running", "succeeded", "running", "queued"]
    place.end(uuids[0], FAILED)
    assert place.outcomes(uuids) == ["failed", "succeeded", "running", "running"]


def test_held_members_are_in_nobody_s_way(place):
    place.provider.put_sweep(Sweep(SWEEP, concurrency=1))
    uuids = place.put("a", "b")
    (other,) = place.put("other", sweep=None)
    (last,) = place.put("last", sweep=None, nodes=4)
    assert place.outcomes([*uuids, other]) == ["running", "queued", "running"]
    assert "2 of 4 free" in place.waits([last])[0]


def test_a_member_that_is_queued_again_stays_active(place):
    place.provider.put_sweep(Sweep(SWEEP, concurrency=1))
    uuids = place.put("a", "b")
    place.provider.keep()
    place.store.put(CLUSTER, {"properties": {"scaleSettings": {"manual": {"targetNodeCount": 0}}}})
    place.end(uuids[0], requeued())
    assert place.outcomes(uuids) == ["queued", "queued"]
    first, second = place.waits(uuids)
    assert "node" in first
    assert "a place in the sweep" in second


def test_a_sweep_that_is_put_again_releases_as_many_as_it_allows_now(place):
    place.provider.put_sweep(Sweep(SWEEP, concurrency=1))
    uuids = place.put("a", "b", "c", "d")
    assert place.outcomes(uuids).count("running") == 1
    place.provider.put_sweep(Sweep(SWEEP, concurrency=3))
    assert place.outcomes(uuids).count("running") == 3
    place.provider.put_sweep(Sweep(SWEEP))
    assert place.outcomes(uuids).count("running") == 4


def test_members_of_a_sweep_without_settings_are_ordinary_jobs(place):
    uuids = place.put("a", "b", "c")
    assert place.outcomes(uuids) == ["running"] * 3


def test_after_failures_those_go_on_that_run_and_no_more_start(place):
    place.provider.put_sweep(Sweep(SWEEP, concurrency=3, stop_after_failures=2))
    uuids = place.put("a", "b", "c", "d", "e", "f")
    place.provider.keep()
    place.end(uuids[0], FAILED)
    assert place.outcomes(uuids)[:4] == ["failed", "running", "running", "running"]
    place.end(uuids[1], FAILED)
    ends = ["failed", "failed", "running", "running", "cancelled", "cancelled"]
    assert place.outcomes(uuids) == ends
    assert "not started: 2 jobs have failed in the sweep train" in place.said(uuids[5])
    (error,) = place.store.attempts.get(uuids[5]).errors
    assert error.message == "So many jobs of its sweep had failed that it was not started"
    # What a job needs of its command is not kept any longer.
    folders = [place.folder / "jobs" / uuid for uuid in uuids]
    assert [has_submitted(folder) for folder in folders] == [False, False, True, True, False, False]
    place.end(uuids[2])
    assert place.outcomes(uuids)[2] == "succeeded"


def test_a_member_that_was_queued_again_starts_after_failures_of_others(place):
    place.provider.put_sweep(Sweep(SWEEP, stop_after_failures=1))
    uuids = place.put("a", "b")
    place.provider.keep()
    place.end(uuids[0], requeued())
    place.end(uuids[1], FAILED)
    assert place.outcomes(uuids) == ["running", "failed"]


def test_failures_count_from_the_last_put_of_the_sweep(place):
    place.provider.put_sweep(Sweep(SWEEP, stop_after_failures=1))
    uuids = place.put("a")
    place.provider.keep()
    place.end(uuids[0], FAILED)
    place.provider.keep()
    place.provider.put_sweep(Sweep(SWEEP, stop_after_failures=1))
    assert place.outcomes([*uuids, *place.put("b")]) == ["failed", "running"]


def test_cancelled_members_are_no_failures(place):
    place.provider.put_sweep(Sweep(SWEEP, concurrency=1, stop_after_failures=1))
    uuids = place.put("a", "b", "c")
    place.provider.keep()
    for uuid in uuids[:2]:
        place.provider.cancel(place.store.attempts.get(uuid).job)
    place.end(uuids[0], failed("JobTerminated", "it was cancelled"))
    assert place.outcomes(uuids) == ["cancelled", "cancelled", "running"]


def test_a_job_says_in_its_variables_which_sweep_it_is_a_member_of(place):
    place.provider.put_sweep(Sweep(SWEEP, concurrency=1))
    for name in "ab":
        properties = {
            "cluster": {"id": str(CLUSTER)},
            "nodeCount": 1,
            "customToolkitSettings": {"commandLine": "true"},
            "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs",
            "environmentVariables": [{"name": "BAI_SWEEP", "value": "train"}],
        }
        id = WORKSPACE.sibling(Kind.JOB, name, "e")
        place.provider.put(Resource(id, {"properties": properties}))
    attempts = place.store.attempts.alive()
    assert [each.sweep for each in attempts] == [SWEEP, SWEEP]
    assert place.outcomes(each.uuid for each in attempts) == ["running", "queued"]


def test_an_engine_s_own_queue_does_not_get_held_members(make):
    place = make(has_queue=True)
    place.provider.put_sweep(Sweep(SWEEP, concurrency=2, stop_after_failures=1))
    uuids = place.put("a", "b", "c")
    place.provider.keep()
    submitted = [each.uuid for each in place.store.attempts.submitted()]
    assert submitted == uuids[:2]
    assert "a place in the sweep train" in place.waits(uuids)[2]
    # One that waits in the engine's queue is ended as well, since it has not started.
    place.end(uuids[0], FAILED)
    assert place.outcomes(uuids) == ["failed", "terminating", "cancelled"]
    assert place.engine.stopped == [uuids[1]]
    assert place.store.attempts.get(uuids[1]).stop is StopReason.FAILURES
    assert "not started: 1 job has failed in the sweep train" in place.said(uuids[1])


def test_settings_are_kept_until_their_experiment_goes(place):
    with pytest.raises(NotFoundError, match="the experiment f does not exist"):
        place.provider.put_sweep(Sweep(SweepId(WORKSPACE.sibling(Kind.EXPERIMENT, "f"), "x")))
    sweep = Sweep(SWEEP, 2, 3)
    assert place.provider.unkept(sweep) == ()
    place.provider.put_sweep(sweep)
    assert place.provider.sweep(SWEEP) == sweep
    assert place.provider.sweeps() == place.provider.sweeps(EXPERIMENT) == [sweep]
    assert place.provider.sweeps(WORKSPACE.sibling(Kind.EXPERIMENT, "f")) == []
    place.provider.delete(EXPERIMENT)
    assert place.provider.sweep(SWEEP) is None
