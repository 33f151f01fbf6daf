"""The checks of what runs, waits and starts see what they are to see."""

import os
import time
from dataclasses import replace
from fcntl import LOCK_EX, flock

import pytest
from chaos import invariants
from chaos.commands import Command
from chaos.jobs import Sweep
from chaos.samples import OTHER, UUID, queued, running, shows
from chaos.state import Snapshot
from chaos.world import InvariantError


def test_a_second_start_in_a_run(world, monkeypatch, attempt):
    shows(world, monkeypatch, replace(attempt, run=2))
    for run in (1, 2):
        (world.witness / f"{UUID}.0.{run}.start").touch()
    invariants.nothing_started_twice(world)
    (world.witness / f"{UUID}.0.2.again.17").touch()
    with pytest.raises(InvariantError, match="started twice"):
        invariants.nothing_started_twice(world)


def test_a_run_that_nobody_knows_of(world, monkeypatch, attempt):
    shows(world, monkeypatch, attempt)
    (world.witness / f"{UUID}.0.2.start").touch()
    with pytest.raises(InvariantError, match="has no run 2"):
        invariants.nothing_started_twice(world)


def test_a_run_that_is_claimed_twice(world, monkeypatch, attempt):
    shows(world, monkeypatch, attempt)
    journal = world.state / "jobs" / UUID / "journal-1.jsonl"
    journal.parent.mkdir(parents=True)
    line = '["2026-11-22T12:00:00+00:00", "claimed", "17", {}]\n'
    journal.write_text(line)
    invariants.nothing_started_twice(world)
    journal.write_text(2 * line)
    with pytest.raises(InvariantError, match="journal-1"):
        invariants.nothing_started_twice(world)


def test_a_job_that_waits_for_nothing(world, monkeypatch, attempt):
    nodes = tuple((number, "idle", None) for number in range(3))
    large = queued(attempt, uuid=OTHER, nodes=4, age=2)
    shows(world, monkeypatch, queued(attempt), large, nodes=nodes)
    # The largest does not fit, but the first does.
    with pytest.raises(InvariantError, match="could start.*" + UUID):
        invariants.nothing_waits_that_could_start(world)
    # Behind one that lacks nodes it waits for its turn.
    shows(world, monkeypatch, queued(attempt), replace(large, priority=2), nodes=nodes)
    invariants.nothing_waits_that_could_start(world)


def test_a_job_that_runs_without_anybody(world, monkeypatch, attempt):
    shows(world, monkeypatch, running(attempt))
    with pytest.raises(InvariantError, match="nobody behind it"):
        invariants.nothing_runs_alone(world)


def test_a_job_that_another_keeper_step_ends(world, monkeypatch, attempt):
    shows(world, monkeypatch, running(attempt))
    lock = world.state / "jobs" / UUID / "lock"
    lock.parent.mkdir(parents=True)
    with lock.open("w") as handle:
        flock(handle, LOCK_EX)
        # Somebody must be there who has it.
        with pytest.raises(InvariantError, match="nobody behind it"):
            invariants.nothing_runs_alone(world)
        world.commands.append(Command(("wait",), (), os.getpid(), lock))
        monkeypatch.setattr(Command, "poll", lambda _: False)
        assert invariants.is_tended(world, UUID)
    assert not invariants.is_tended(world, UUID)
    world.commands.clear()


def test_a_node_that_is_held_by_nobody_or_twice(attempt):
    first, second = running(attempt), running(attempt, uuid=OTHER)
    found = {UUID: first, OTHER: second}
    right = ((0, "running", UUID), (1, "idle", None))
    invariants.nodes_are_held_once(Snapshot({UUID: first}, right))
    wrong = [
        Snapshot(found, right),
        Snapshot({}, ((0, "running", UUID),)),
        Snapshot({}, ((0, "running", None),)),
        Snapshot({UUID: first}, ((0, "idle", UUID),)),
        Snapshot({UUID: first}, ((1, "running", UUID),)),
        Snapshot({UUID: attempt}, ((0, "leaving", UUID),)),
        Snapshot({UUID: running(attempt, nodes=2)}, right),
    ]
    for snapshot in wrong:
        with pytest.raises(InvariantError, match="node"):
            invariants.nodes_are_held_once(snapshot)


def test_a_process_that_outlives_its_job(world, monkeypatch, attempt, left):
    (world.state / "jobs" / UUID).mkdir(parents=True)
    claim = world.state / "jobs" / UUID / "claim-1"
    claim.touch()
    os.utime(claim, (time.time() - 1000, time.time() - 1000))
    shows(world, monkeypatch, running(attempt))
    invariants.nothing_lives_after_its_end(world)
    assert invariants.alone(world)
    shows(world, monkeypatch, attempt)
    with pytest.raises(InvariantError, match=f"grandchild {left.pid} of {UUID}"):
        invariants.nothing_lives_after_its_end(world)


def test_a_process_that_outlives_its_run(world, monkeypatch, attempt, left):
    (world.state / "jobs" / UUID).mkdir(parents=True)
    again = [running(attempt, run=2), queued(attempt, run=1)]
    for each in again:
        shows(world, monkeypatch, each)
        # The next run is not claimed yet, or was claimed after the process was started.
        with pytest.raises(InvariantError, match=f"grandchild {left.pid} of {UUID}"):
            invariants.nothing_lives_after_its_end(world)
    claim = world.state / "jobs" / UUID / "claim-2"
    claim.touch()
    os.utime(claim, (time.time() + 1000, time.time() + 1000))
    with pytest.raises(InvariantError, match=f"grandchild {left.pid} of {UUID}"):
        invariants.nothing_lives_after_its_end(world)
    os.utime(claim, (time.time() - 1000, time.time() - 1000))
    invariants.nothing_lives_after_its_end(world)


def test_a_process_that_outlives_a_deleted_job(world, monkeypatch, left):
    shows(world, monkeypatch)
    with pytest.raises(InvariantError, match=f"nobody behind it.*grandchild {left.pid}"):
        invariants.nothing_runs_alone(world)


def test_a_sweep_that_lets_too_many_run(world, monkeypatch, attempt):
    world.sweeps["s"] = Sweep(members=3, concurrency=1)
    first = running(attempt, sweep="s")
    kept = queued(attempt, uuid=OTHER, sweep="s", is_kept=True)
    invariants.sweeps_keep_to_their_limits(world, shows(world, monkeypatch, first, kept))
    seen = shows(world, monkeypatch, first, replace(kept, is_kept=False))
    with pytest.raises(InvariantError, match="more at once than the sweep allows"):
        invariants.sweeps_keep_to_their_limits(world, seen)


def test_a_member_that_is_kept_for_nothing(world, monkeypatch, attempt):
    world.sweeps["s"] = Sweep(members=3, concurrency=1)
    kept = queued(attempt, sweep="s", is_kept=True)
    shows(world, monkeypatch, kept)
    with pytest.raises(InvariantError, match="could start"):
        invariants.nothing_waits_that_could_start(world)
    shows(world, monkeypatch, kept, running(attempt, uuid=OTHER, sweep="s"))
    invariants.nothing_waits_that_could_start(world)
