"""A world of the chaos with a job and an attempt of it."""

import subprocess
from random import Random

import pytest
from chaos.samples import JOB, UUID
from chaos.state import Attempt
from chaos.world import Settings, World
from watching import until


@pytest.fixture
def world(tmp_path):
    """A world with a job of one rank that is to succeed."""
    made = World(tmp_path / "world", "chaos-test-mark", Random(0), Settings(["bai"]))
    made.jobs["j0"] = JOB
    made.keep = lambda: None
    yield made
    for process in made.processes():
        process.send(9)


@pytest.fixture
def attempt(world):
    """An attempt of the job that has succeeded."""
    logs = world.folder / "logs"
    logs.mkdir()
    return Attempt(UUID, "j0", str(logs), "succeeded", 1, 1, 1, 1, 100.0, 101.0, 110.0, (), 0)


@pytest.fixture(params=[False, True], ids=["found by argument", "found by environment"])
def left(request, world):
    """A process of the attempt, which only one of its marks shows."""
    environment = {
        "CHAOS_MARK": world.mark,
        "AZ_BATCHAI_STDOUTERR_DIR": f"/x/{UUID}/stdouterr",
    }
    name = "sleep" if request.param else f"{world.mark}:{UUID}"
    with subprocess.Popen(
        [name, "60"], executable="/bin/sleep", env=environment if request.param else {}
    ) as started:
        until(world.processes, "the program that the process is to run")
        yield started
        started.kill()
