"""The chaos: kills what runs jobs, at random, and checks that nothing goes wrong.

python -m chaos --kills 1000 --seed 7 --engine far        (in tests/; `make chaos`)
"""

import argparse
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from chaos.commands import load
from chaos.jobs import BARE, CHILDREN, Mix
from chaos.steps import drain, take_step
from chaos.world import InvariantError, Settings, World
from engines import ENGINES

from bai.runtime.node import cgroups

STEPS = 30
"""Steps in one state folder, before all its jobs must end."""

ENOUGH = 10
"""Violations after which the run ends: more would say no more."""


def main() -> None:
    """Run the chaos; exit with 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description="Kill what runs jobs, at random.")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--kills", type=int, default=100, help="end after this many")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="or after this long")
    parser.add_argument("--horovod", type=float, default=0.04, help="share of Horovod's jobs")
    parser.add_argument("--engine", choices=ENGINES, default="local")
    given = parser.parse_args()
    engine = ENGINES[given.engine]
    if missing := engine.missing():
        sys.exit(f"the engine {given.engine} can't run here: {missing}")
    if "PYTHONPATH" in engine.environment:
        sys.path.insert(0, engine.environment["PYTHONPATH"])
    os.environ.update(engine.environment)
    installed = str(Path(sys.executable).with_name("bai"))
    children = (*CHILDREN, BARE) if has_control_groups() else CHILDREN
    settings = Settings([installed], engine, Mix(given.horovod, children=children))
    sys.exit(run(given.seed, given.kills, given.seconds, settings))


def has_control_groups() -> bool:
    """Return whether jobs get control groups of their own here."""
    group = cgroups.make(f"bai-chaos-{os.getpid()}")
    if group:
        group.rmdir()
    return group is not None


def run(seed: int, kills: int, seconds: float, settings: Settings) -> int:
    """Kill until there were enough kills; return 1 if there were violations, else 0."""
    print(f"seed {seed}", flush=True)
    load()
    folder = Path(tempfile.mkdtemp(prefix="bai-chaos-"))
    counted = settings.killed
    begun, violations, number, runs = time.monotonic(), 0, 0, 0
    while violations < ENOUGH and counted.total() < kills and time.monotonic() - begun < seconds:
        number += 1
        mark = f"chaos-{seed}-{number}-{folder.name[-8:]}-x"
        world = World(folder / str(number), mark, random.Random(f"{seed}/{number}"), settings)
        try:
            for _ in range(STEPS):
                take_step(world)
                if counted.total() >= kills:
                    break
            drain(world)
        except InvariantError as violation:
            violations += 1
            report(seed, number, world, violation)
            end(world)
        else:
            runs += sum(max(0, attempt.run - 1) for attempt in world.look().attempts.values())
            shutil.rmtree(world.folder)
        passed = time.monotonic() - begun
        print(f"world {number}: {counted.total()} kills, {passed:.0f} s", flush=True)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(*(f"{count:5} {kind}" for kind, count in counted.most_common()), sep="\n")
    print(f"{counted.total()} kills, {violations} violations; {number} worlds, {runs} requeues")
    print(
        f"{time.monotonic() - begun:.0f} s; commands took {spent.ru_utime + spent.ru_stime:.0f} s "
        f"of CPU time, the chaos itself {time.process_time():.0f} s; seed {seed}"
    )
    if not violations:
        shutil.rmtree(folder, ignore_errors=True)
    return int(violations > 0)


def report(seed: int, number: int, world: World, violation: InvariantError) -> None:
    """Print a violation with its evidence."""
    print(f"\nVIOLATION, seed {seed}, world {number}, step {world.step}: {violation}")
    print("killed:", *world.kills[-12:], sep="\n  ")
    print(
        "commands:",
        *(f"bai {' '.join(c.words)} -> {c.code}" for c in world.commands[-12:]),
        sep="\n  ",
    )
    print("processes:", *world.processes(), sep="\n  ")
    for log in sorted(world.state.glob("jobs/*/supervisor.log")):
        if text := log.read_text(errors="replace"):
            print(f"{log}:\n{text}")
    print(f"kept: {world.folder}\n", flush=True)


def end(world: World) -> None:
    """End what a world left running, so that the next one is not disturbed."""
    for command in world.commands:
        command.kill(group=True)
    for _ in range(20):
        for process in world.processes():
            process.send(signal.SIGKILL)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
