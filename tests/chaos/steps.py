"""One step of the chaos: commands, kills, checks."""

import time

from chaos.invariants import LOOK_SECONDS, check, nobody_is_left
from chaos.kills import kill_something
from chaos.world import LONGEST, InvariantError, World

MOST_ALIVE = 8
"""Jobs that may be queued or run before all are let go."""

ACTIONS = {
    "apply -d": 40,
    "apply": 20,
    "apply twice": 10,
    "apply again": 6,
    "rerun": 6,
    "cancel": 8,
    "delete": 4,
    "wait": 3,
    "logs": 3,
    "get": 2,
}
"""What commands do -> how often."""


def take_step(world: World) -> list[str]:
    """Start commands, kill at random, and check what holds; return what was killed."""
    world.step += 1
    for _ in range(world.random.choice((1, 1, 2, 3))):
        act(world)
    killed = []
    for _ in range(world.random.randint(5, 12)):
        time.sleep(world.random.choice((0, 0.05, 0.3, 1.0)) * world.random.random())
        if kind := kill_something(world):
            killed.append(kind)
    seen = check(world)
    alive = [live for live in seen.values() if not live.ended]
    if len(alive) > MOST_ALIVE or world.random.random() < 0.3:
        world.open_gates()
    return killed


def act(world: World) -> None:
    """Start a command or two."""
    kind = world.random.choices(list(ACTIONS), list(ACTIONS.values()))[0]
    if not world.specs or kind in ("apply -d", "apply", "apply twice"):
        path, names = world.new_spec()
        world.start("apply", path, *(["-d"] if kind != "apply" else []), jobs=names)
        if kind == "apply twice":
            world.start("apply", "-d", path, jobs=names)
        return
    path, names = world.random.choice(world.specs)
    name = world.random.choice(names)
    match kind:
        case "apply again":
            world.start("apply", "-d", path, jobs=names)
        case "rerun":
            world.asked_to_end |= set(names)
            world.start("apply", "-d", "--rerun", path, jobs=names)
        case "cancel":
            world.asked_to_end.add(name)
            world.start("cancel", name, jobs=(name,))
        case "delete":
            world.asked_to_end.add(name)
            world.start("delete", "job", name, "-y", jobs=(name,))
        case "wait":
            world.asked_to_end.add(name)
            world.start("wait", name, jobs=(name,))
        case "logs":
            world.asked_to_end.add(name)
            world.start("logs", "-f", name, jobs=(name,))
        case "get":
            world.start("get")


def drain(world: World) -> None:
    """Let all jobs end, and check that they do and leave nothing.

    Raises:
        InvariantError: they don't.
    """
    world.open_gates()
    deadline = time.monotonic() + LONGEST
    while any(not live.ended for live in check(world).values()):
        if time.monotonic() > deadline:
            raise InvariantError(f"jobs do not end in {LONGEST:.0f} s: {world.look()}")
        time.sleep(LOOK_SECONDS)
    for command in world.commands:
        world.finish(command)
    check(world)
    nobody_is_left(world)
