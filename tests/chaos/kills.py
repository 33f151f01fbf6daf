"""What the chaos kills: a fair share of everything."""

import signal
import time
from collections.abc import Callable, Iterator

from chaos.outcomes import ALL_BEHIND
from chaos.processes import AGENT, BEHIND, GRANDCHILD, GUARDIAN, RANK, STARTING, SUPERVISOR, Process
from chaos.world import Hit, World

_COMMANDS = [
    f"{kind}, {queue}"
    for kind in ("command", "group of a command")
    for queue in ("no queue", "while jobs wait")
]
_RUNNERS = [
    f"{kind}, {phase}"
    for kind in (SUPERVISOR, GUARDIAN, "both")
    for phase in ("no ranks", "ranks run")
]
SHARES = dict.fromkeys([*_COMMANDS, *_RUNNERS, STARTING, AGENT], 1) | {RANK: 2, GRANDCHILD: 2}
"""What is killed -> its share, as far as there is enough of everything."""

EXCESS = 1.3
"""How much more than its share a kind may have, so that the others get to run at all."""

Kill = Callable[[], str | None]
"""Kills something, and returns what; None if it had ended before."""


def kill_something(world: World) -> str | None:
    """Kill something at random, and return its kind; None if nothing runs that is due."""
    found, killed = dict(_possible(world)), world.settings.killed
    most = EXCESS * (killed.total() + len(SHARES)) / sum(SHARES.values())
    due = [kind for kind in found if killed[kind] < most * SHARES[kind]]
    if not due:
        return None
    kind = world.random.choice(due)
    what = found[kind]()
    if what:
        killed[kind] += 1
        world.kills.append(f"step {world.step}, {time.time():.3f} s: {kind}: {what}")
    return kind if what else None


def _possible(world: World) -> Iterator[tuple[str, Kill]]:
    """Iterate over the kinds of kills that are possible now, with one of each."""
    running = world.processes()
    commands = world.running()
    world.random.shuffle(running)
    world.random.shuffle(commands)
    queue = "while jobs wait" if world.look().queue() else "no queue"
    for command in commands:
        for group in (False, True):
            kind = "group of a command" if group else "command"
            yield f"{kind}, {queue}", _of_command(world, command.pid, group=group)
    # One that is about to run another program does not show its environment.
    known = [process for process in running if process.attempt]
    working = {process.attempt for process in known if process.role == RANK}
    for process in known:
        phase = "ranks run" if process.attempt in working else "no ranks"
        if process.role in (RANK, GRANDCHILD, AGENT, STARTING):
            yield process.role, _of(world, [process], known)
        else:
            yield f"{process.role}, {phase}", _of(world, [process], known)
        if process.role in (SUPERVISOR, GUARDIAN):
            behind = [p for p in known if p.role in BEHIND and p.attempt == process.attempt]
            world.random.shuffle(behind)
            if len(behind) > 1:
                yield f"both, {phase}", _of(world, behind, known)


def _of_command(world: World, pid: int, *, group: bool) -> Kill:
    (command,) = (each for each in world.commands if each.pid == pid)
    line = f"{pid}, bai {' '.join(command.words)}"
    return lambda: line if command.kill(group=group) else None


def _of(world: World, chosen: list[Process], known: list[Process]) -> Kill:
    """Return what kills processes; several are stopped first, so that none of them cleans up."""

    def kill() -> str | None:
        attempt = chosen[0].attempt or ""
        behind = {p.pid for p in known if p.role in BEHIND and p.attempt == attempt}
        # Noted before it happens: the end may be recorded at once.
        for process in chosen:
            world.hits[attempt].append(Hit(time.time(), process.role))
        if behind <= {process.pid for process in chosen}:
            world.hits[attempt].append(Hit(time.time(), ALL_BEHIND))
        if len(chosen) > 1:
            for process in chosen:
                process.send(signal.SIGSTOP)
        sent = [process.send(signal.SIGKILL) for process in chosen]
        return "; ".join(map(str, chosen)) if any(sent) else None

    return kill
