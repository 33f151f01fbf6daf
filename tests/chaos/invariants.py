"""What must hold at any moment, or after a keeper step, whatever was killed."""

import time
from collections import Counter
from math import inf
from pathlib import Path

from chaos import outcomes, state
from chaos.processes import BEHIND, OF_JOB, Process
from chaos.state import Snapshot
from chaos.world import LONGEST, NODES, InvariantError, World

DYING_SECONDS = 0.1
"""How long the kernel may show a process that was killed."""

CLOCK_SECONDS = 0.05
"""How exact the times of files and processes are."""

LEAVING_SECONDS = 15.0
"""How long what stood behind a job may stay after its end."""

STEPS = 2
"""Keeper steps after which what could start has started, though others come and go."""


def check(world: World) -> Snapshot:
    """Check all invariants, after a keeper step.

    Raises:
        InvariantError: one does not hold.
    """
    world.keep()
    nothing_lives_after_its_end(world)
    nothing_runs_alone(world)
    nothing_waits_that_could_start(world)
    nothing_started_twice(world)
    if (said := state.is_sound(world.state)) != "ok":
        raise InvariantError(f"integrity_check: {said}")
    seen = world.look()
    nodes_are_held_once(seen)
    sweeps_keep_to_their_limits(world, seen)
    outcomes.check(world, seen)
    return seen


def nothing_lives_after_its_end(world: World) -> None:
    """No process of a job lives when its end, or that of its run, is recorded."""

    def left() -> set[Process]:
        # A process that starts meanwhile belongs to a later run than those that have ended.
        seen = world.look()
        found = [process for process in world.processes() if process.role in OF_JOB]
        return {process for process in found if is_left(world, seen, process)}

    if found := left():
        time.sleep(DYING_SECONDS)
        if still := found & left():
            raise InvariantError("lives after the recorded end: " + "; ".join(map(str, still)))


def is_left(world: World, seen: Snapshot, process: Process) -> bool:
    """Return whether a process belongs to a run whose end was recorded before it was seen."""
    attempt = seen.attempts.get(process.attempt or "")
    if attempt is None:
        # Deleted: `alone` has what is left of it.
        return False
    if attempt.is_over:
        return True
    run = attempt.run if attempt.is_live else attempt.run + 1
    claim = world.state / "jobs" / attempt.uuid / f"claim-{run}"
    claimed = claim.stat().st_mtime if claim.exists() else inf
    return process.started < claimed - CLOCK_SECONDS


def nothing_runs_alone(world: World) -> None:
    """All that runs has somebody behind it, or gets somebody or an end by a keeper step."""
    deadline = time.monotonic() + LONGEST
    found = alone(world)
    while found:
        world.keep()
        found &= alone(world)
        # Another step may be at it, which takes seconds for what ignores SIGTERM.
        left = [each for each in found if not is_tended(world, each[0])]
        if left or (found and time.monotonic() > deadline):
            them = {uuid for uuid, _ in found}
            processes = [str(p) for p in world.processes() if p.attempt in them]
            raise InvariantError(f"runs with nobody behind it: {them}; {'; '.join(processes)}")
        time.sleep(DYING_SECONDS if found else 0)


def alone(world: World) -> set[tuple[str, int]]:
    """Return the runs that have no supervisor."""
    before, found, after = world.look(), world.processes(), world.look()
    behind = {process.attempt for process in found if process.role in BEHIND}
    going = {each.newest for each in before.live()} & {each.newest for each in after.live()}
    known = after.attempts
    deleted = {
        (process.attempt, 0)
        for process in found
        if process.role in OF_JOB and process.attempt and process.attempt not in known
    }
    return {run for run in going | deleted if run[0] not in behind}


def is_tended(world: World, uuid: str) -> bool:
    """Return whether a command, or what stands behind another attempt, has an attempt's lock."""
    lock = world.state / "jobs" / uuid / "lock"
    if not lock.exists():
        return False
    inode = lock.stat().st_ino
    is_locked = any(
        line.split()[5].endswith(f":{inode}")
        for line in Path("/proc/locks").read_text().splitlines()
        if " FLOCK " in line and "->" not in line
    )
    others = any(process.role in BEHIND for process in world.processes())
    return is_locked and (others or bool(world.running()))


def nothing_waits_that_could_start(world: World) -> None:
    """After a keeper step nothing is queued that could start."""

    def waiting() -> set[tuple[str, int]]:
        seen = world.look()
        return startable(seen) | releasable(world, seen)

    found = waiting()
    for _ in range(STEPS):
        if not found:
            return
        world.keep()
        found &= waiting()
    if found:
        raise InvariantError(f"queued, and could start: {world.look().attempts[min(found)[0]]}")


def startable(seen: Snapshot) -> set[tuple[str, int]]:
    """Return the queued attempts that could run: each takes its nodes in turn."""
    free = seen.states()["idle"]
    slots = NODES - sum(attempt.nodes for attempt in seen.live())
    found = set()
    for attempt in seen.queue():
        if attempt.nodes > min(free, slots):
            # Those behind it wait for their turn.
            break
        free, slots = free - attempt.nodes, slots - attempt.nodes
        found.add(attempt.newest)
    return found


def releasable(world: World, seen: Snapshot) -> set[tuple[str, int]]:
    """Return the members of sweeps that are kept out of the queue though there is a place."""
    places = {name: sweep.concurrency for name, sweep in world.sweeps.items()}
    places = {name: count - at_once(seen)[name] for name, count in places.items()}
    kept = sorted((e for e in seen.attempts.values() if e.is_kept), key=lambda each: each.age)
    found = set()
    for attempt in kept:
        if attempt.sweep in places and not attempt.is_over and places[attempt.sweep] > 0:
            places[attempt.sweep] -= 1
            found.add(attempt.newest)
    return found


def at_once(seen: Snapshot) -> Counter[str | None]:
    """Return how many members of each sweep run or are in the queue."""
    going = (each for each in seen.attempts.values() if not (each.is_over or each.is_kept))
    return Counter(each.sweep for each in going if each.sweep)


def sweeps_keep_to_their_limits(world: World, seen: Snapshot) -> None:
    """No more members of a sweep run, or may run, at once than it allows."""
    counted = at_once(seen)
    if wrong := [name for name, sweep in world.sweeps.items() if counted[name] > sweep.concurrency]:
        going = [str(each) for each in seen.attempts.values() if each.sweep in wrong]
        raise InvariantError(f"more at once than the sweep allows: {'; '.join(going)}")


def nodes_are_held_once(seen: Snapshot) -> None:
    """Each node is idle or held by one attempt that runs, and each such attempt has its nodes."""
    wrong = [
        f"node {number} is {status}, held by {uuid}"
        for number, status, uuid in seen.nodes
        if (status == "idle") != (uuid is None)
        or (uuid and (uuid not in seen.attempts or number not in seen.attempts[uuid].held))
    ]
    counted = Counter(uuid for _, _, uuid in seen.nodes)
    wrong += [
        f"{each.uuid} holds {counted[each.uuid]} of {each.nodes} nodes"
        for each in seen.attempts.values()
        if counted[each.uuid] != (each.nodes if each.is_live else 0)
    ]
    if wrong:
        raise InvariantError("; ".join(wrong))


def nothing_started_twice(world: World) -> None:
    """Each run was claimed once, and each of its ranks has started once, after the claim."""
    again = [path.name for path in world.witness.glob("*.again.*")]
    for journal in world.state.glob("jobs/*/journal-*.jsonl"):
        if journal.parent.name not in world.checked:
            claims = sum(b'"claimed"' in line for line in journal.read_bytes().splitlines())
            again += [str(journal)] if claims > 1 else []
    started = [path.name.split(".") for path in world.witness.glob("*.start")]
    seen = world.look().attempts
    again += [
        f"{uuid} has no run {run}"
        for uuid, _, run, _ in started
        if uuid in seen and int(run) > seen[uuid].run
    ]
    if again:
        raise InvariantError(f"started twice: {', '.join(sorted(again))}")


def nobody_is_left(world: World) -> None:
    """When all jobs have ended, all that stood behind them goes."""
    deadline = time.monotonic() + LEAVING_SECONDS
    while found := world.processes():
        if time.monotonic() > deadline:
            raise InvariantError(
                "all jobs have ended, and still there is " + "; ".join(map(str, found))
            )
        time.sleep(0.02)
