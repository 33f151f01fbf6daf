"""One step of the chaos: commands, kills, checks."""

import time

from chaos.invariants import check, nobody_is_left
from chaos.kills import kill_something
from chaos.outcomes import logs_are_as_written
from chaos.state import Attempt
from chaos.world import LONGEST, NODES, InvariantError, World

LOOK_SECONDS = 0.05
"""How often to look whether a job has ended."""

PATIENCE_SECONDS = 0.5
"""How long nothing may change before a command takes a keeper step."""

MOST_ALIVE = 10
"""Jobs that may be queued or run before all are let go."""

ACTIONS = {
    "apply -d": 40,
    "apply": 20,
    "apply twice": 10,
    "apply again": 6,
    "rerun": 6,
    "cancel": 6,
    "delete": 4,
    "wait": 4,
    "logs": 4,
    "get": 2,
    "scale": 12,
}
"""What commands do -> how often."""

DEALLOCATION = ("requeue", "requeue", "terminate", "waitForJobCompletion")


def take_step(world: World) -> None:
    """Start commands, kill at random, and check what holds."""
    world.step += 1
    for _ in range(world.random.choice((1, 1, 2, 3))):
        act(world)
    for _ in range(world.random.randint(8, 20)):
        time.sleep(world.random.choice((0, 0.02, 0.1, 0.3)) * world.random.random())
        if not kill_something(world) and len(alive(world)) < MOST_ALIVE:
            act(world)
    check(world)
    if len(alive(world)) > MOST_ALIVE or world.random.random() < 0.2:
        world.open_gates()


def alive(world: World) -> list[Attempt]:
    """Return the attempts that are queued or run."""
    return [attempt for attempt in world.look().attempts.values() if not attempt.is_over]


def act(world: World) -> None:
    """Start a command or two."""
    kind = world.random.choices(list(ACTIONS), list(ACTIONS.values()))[0]
    if not world.specs or kind in ("apply -d", "apply", "apply twice"):
        path, names = world.new_spec()
        world.start("apply", path, *(["-d"] if kind != "apply" else []), jobs=names)
        if kind == "apply twice":
            world.start("apply", "-d", path, jobs=names)
        return
    path, names = world.random.choice(world.specs[-6:])
    name = world.random.choice(names)
    match kind:
        case "apply again":
            world.start("apply", "-d", path, jobs=names)
        case "rerun":
            world.start("apply", "-d", "--rerun", path, jobs=names)
        case "cancel":
            world.start("cancel", name, jobs=(name,))
        case "delete":
            world.start("delete", "job", name, "-y", jobs=(name,))
        case "wait":
            world.start("wait", name, jobs=(name,))
        case "logs":
            world.start("logs", "-f", name, jobs=(name,))
        case "get":
            world.start("get", "-o", "json")
        case "scale":
            scale(world)


def scale(world: World) -> None:
    """Give the cluster another number of nodes, if there is one."""
    if world.look().nodes:
        nodes = world.random.randint(0, NODES)
        option = world.random.choice(DEALLOCATION)
        detached = ["-d"] if world.random.random() < 0.5 else []
        world.start("scale", "c", "--nodes", nodes, "--deallocation", option, *detached)


def drain(world: World) -> None:
    """Let all jobs end, and check that they do and leave nothing.

    Raises:
        InvariantError: they don't.
    """
    world.open_gates()
    if world.look().attempts:
        world.run("scale", "c", "--nodes", NODES, "--detach")
    left, changed = alive(world), time.monotonic()
    while left:
        time.sleep(LOOK_SECONDS)
        if (now := alive(world)) != left:
            left, changed = now, time.monotonic()
            check(world)
        elif time.monotonic() - changed > LONGEST:
            raise InvariantError(f"nothing has changed for {LONGEST:.0f} s: {left}")
        elif time.monotonic() - changed > PATIENCE_SECONDS:
            world.keep()
    for command in world.commands:
        world.finish(command)
    nobody_is_left(world)
    for attempt in check(world).attempts.values():
        logs_are_as_written(world, attempt)
