"""Whom the chaos kills."""

import signal
import time

from chaos.processes import GRANDCHILD, GUARDIAN, RANK, SUPERVISOR, Process
from chaos.world import World

KINDS = {
    "command": 10,
    "group of a command": 10,
    SUPERVISOR: 20,
    GUARDIAN: 15,
    "both": 15,
    RANK: 30,
    GRANDCHILD: 20,
}
"""What is killed -> how often, relative to the others; ranks are there for a short time only."""


def kill_something(world: World) -> str | None:
    """Kill something at random, and return what; None if nothing of that kind runs."""
    kind = world.random.choices(list(KINDS), list(KINDS.values()))[0]
    killed = _kill(world, kind, [] if "command" in kind else world.processes())
    if killed:
        world.kills.append(f"step {world.step}, {time.monotonic():.3f} s: {kind}: {killed}")
    return kind if killed else None


def _kill(world: World, kind: str, running: list[Process]) -> str | None:
    if "command" in kind:
        alive = [command for command in world.commands if command.code is None]
        world.random.shuffle(alive)
        for command in alive:
            if command.kill(group=kind != "command"):
                return f"{command.pid}, bai {' '.join(command.words)}"
        return None
    if kind == "both":
        return _kill_both(world, running)
    # One that is about to run another program does not show its environment.
    found = [process for process in running if process.role == kind and process.attempt]
    if not found:
        return None
    process = world.random.choice(found)
    _note(world, process)
    return str(process) if process.send(signal.SIGKILL) else None


def _kill_both(world: World, running: list[Process]) -> str | None:
    """Kill all that stands behind an attempt; stopped first, so that none of it cleans up."""
    behind = [process for process in running if process.role in (SUPERVISOR, GUARDIAN)]
    attempts = sorted({process.attempt or "" for process in behind})
    if not attempts:
        return None
    attempt = world.random.choice(attempts)
    chosen = [process for process in behind if process.attempt == attempt]
    world.random.shuffle(chosen)
    for process in chosen:
        _note(world, process)
        process.send(signal.SIGSTOP)
    sent = [process.send(signal.SIGKILL) for process in chosen]
    return "; ".join(map(str, chosen)) if any(sent) else None


def _note(world: World, process: Process) -> None:
    """Note it before it happens: the end may be recorded at once."""
    world.hits[process.attempt or ""].append(process.role)
