"""The checks of the chaos see what they are to see; the chaos itself, for a short while."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from chaos import invariants
from chaos.jobs import Job
from chaos.world import InvariantError, Live, Settings, World
from watching import until

ATTEMPT = "12345678-1234-1234-1234-123456789abc"


@pytest.fixture
def world(tmp_path):
    """A world with a job of one rank that is to succeed."""
    made = World(tmp_path / "world", "chaos-test-mark", Random(0), Settings(["bai"]))
    made.jobs["j0"] = Job("j0", "custom", 1, 2, 0, (), False, False, "normal", False)
    yield made
    for process in made.processes():
        process.send(9)


def ended(world, code=0, error=None):
    state = "failed" if error else "succeeded"
    return Live("j0", ATTEMPT, state, 1, code, error, world.folder / "logs")


def wrote(world, text, log):
    (world.witness / f"{ATTEMPT}.0.out").write_text(text)
    (world.folder / "logs").mkdir(exist_ok=True)
    (world.folder / "logs/stdout.txt").write_text(log)


def test_a_second_start(world):
    invariants.nothing_started_twice(world)
    (world.witness / f"{ATTEMPT}.0.again.17").touch()
    with pytest.raises(InvariantError, match="started twice"):
        invariants.nothing_started_twice(world)


def test_a_log_that_lacks_a_line(world):
    wrote(world, "a\nb\n", "a\nb\n")
    invariants.logs_are_a_prefix(world, ended(world))
    wrote(world, "a\nb\n", "a\n")
    with pytest.raises(InvariantError, match="the log has 'a"):
        invariants.logs_are_a_prefix(world, ended(world))
    world.hits[ATTEMPT].append("supervisor")
    invariants.logs_are_a_prefix(world, ended(world))


def test_a_log_with_another_line(world):
    world.hits[ATTEMPT].append("supervisor")
    wrote(world, "a\nb\n", "b\n")
    with pytest.raises(InvariantError, match="the log has 'b"):
        invariants.logs_are_a_prefix(world, ended(world))


def test_an_end_that_nothing_explains(world):
    (world.witness / f"{ATTEMPT}.0.exit").touch()
    invariants.ended_as_it_should(world, ended(world))
    for error in ("JobSupervisorLost", "JobTerminated", "JobLaunchFailed", "JobFailed"):
        with pytest.raises(InvariantError, match=error):
            invariants.ended_as_it_should(world, ended(world, None, error))
    world.hits[ATTEMPT].append("supervisor")
    invariants.ended_as_it_should(world, ended(world, None, "JobSupervisorLost"))


def test_a_job_that_waits_for_nothing(world, monkeypatch):
    monkeypatch.setattr(invariants, "STARTING_SECONDS", 0)
    queued = {"j0": Live("j0", ATTEMPT, "queued", 1, None, None, world.folder)}
    monkeypatch.setattr(world, "look", lambda: queued)
    with pytest.raises(InvariantError, match="could start: j0"):
        invariants.nothing_waits_that_could_start(world, queued)


@pytest.mark.parametrize("bare", [False, True], ids=["found by argument", "found by environment"])
def test_a_process_that_outlives_its_job(world, bare):
    logs = f"/x/{ATTEMPT}/stdouterr"
    environment = {"CHAOS_MARK": world.mark, "AZ_BATCHAI_STDOUTERR_DIR": logs}
    name = "sleep" if bare else f"{world.mark}:{ATTEMPT}"
    with subprocess.Popen(
        [name, "60"], executable="/bin/sleep", env=environment if bare else {}
    ) as left:
        until(world.processes, "the program that the process is to run")
        with pytest.raises(InvariantError, match=f"grandchild {left.pid} of {ATTEMPT}"):
            invariants.nothing_lives_after_its_end(world, {"j0": ended(world)})
        running = Live("j0", ATTEMPT, "running", 1, None, None, world.folder)
        invariants.nothing_lives_after_its_end(world, {"j0": running})
        assert invariants.alone(world, {"j0": running})
        left.kill()


@pytest.mark.slow
def test_an_exit_code_that_is_not_documented(world):
    world.settings.command = [str(Path(sys.executable).with_name("bai"))]
    world.settings.installed = 1
    command = world.finish(world.start("wait", "nothing"))
    with pytest.raises(InvariantError, match=r"exit code 2, expected one of \[0\]"):
        invariants.exit_code_is_right(world, command, {})
