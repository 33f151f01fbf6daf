"""What must hold whatever was killed."""

import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from chaos.commands import Command
from chaos.jobs import Job
from chaos.processes import GRANDCHILD, GUARDIAN, RANK, SUPERVISOR
from chaos.world import NODES, InvariantError, Live, World

DYING_SECONDS = 0.1
"""How long the kernel may show a process that was killed."""

STARTING_SECONDS = 10.0
"""How long a job may stay without supervisor that a keeper step has started."""

LOOK_SECONDS = 0.3
"""How long to wait before the next keeper step."""

LAUNCHES = 3
"""How many supervisors that end at once make a job fail."""

LEAVING_SECONDS = 15.0
"""How long what stood behind a job may stay after its end."""


def check(world: World) -> dict[str, Live]:
    """Check all invariants that hold at any time, after a keeper step.

    Raises:
        InvariantError: one does not hold.
    """
    seen = world.look()
    nothing_lives_after_its_end(world, seen)
    nothing_runs_alone(world, seen)
    seen = nothing_waits_that_could_start(world, seen)
    nothing_started_twice(world)
    for live in seen.values():
        if live.ended:
            ended_as_it_should(world, live)
            logs_are_a_prefix(world, live)
    database_is_sound(world)
    for command in world.commands:
        exit_code_is_right(world, command, seen)
    return seen


def nothing_lives_after_its_end(world: World, seen: dict[str, Live]) -> None:
    """No process of a job lives when its end is recorded."""
    ended = {live.attempt for live in seen.values() if live.ended}

    def left() -> list[str]:
        roles = (RANK, GRANDCHILD)
        found = world.processes()
        return [str(p) for p in found if p.role in roles and p.attempt in ended]

    if left():
        time.sleep(DYING_SECONDS)
        if still := left():
            raise InvariantError("lives after the recorded end: " + "; ".join(still))


def nothing_runs_alone(world: World, seen: dict[str, Live]) -> None:
    """All that runs has somebody behind it, or gets somebody; and each process has an attempt."""
    deadline = time.monotonic() + STARTING_SECONDS
    while found := alone(world, seen):
        # A run that nobody has claimed may still be starting.
        patient = all(world.has_not_begun(attempt) for attempt in found)
        seen = world.look()
        time.sleep(DYING_SECONDS)
        if still := found & alone(world, seen):
            if patient and time.monotonic() < deadline:
                time.sleep(LOOK_SECONDS)
                continue
            left = [str(p) for p in world.processes() if p.attempt in still]
            raise InvariantError(f"runs with nobody behind it: {still}; {'; '.join(left)}")


def alone(world: World, seen: dict[str, Live]) -> set[str]:
    """Return attempts that run without a supervisor, or have processes without one."""
    found = world.processes()
    behind = {p.attempt for p in found if p.role in (SUPERVISOR, GUARDIAN)}
    running = {live.attempt for live in seen.values() if live.state in ("running", "terminating")}
    ranks = {p.attempt or str(p) for p in found if p.role in (RANK, GRANDCHILD)}
    return (running | ranks) - behind


def nothing_waits_that_could_start(world: World, seen: dict[str, Live]) -> dict[str, Live]:
    """After a keeper step no job is queued though any of the queued ones would fit."""
    deadline = time.monotonic() + STARTING_SECONDS
    while startable(seen):
        if time.monotonic() > deadline:
            names = ", ".join(live.name for live in startable(seen))
            raise InvariantError(f"queued, and could start: {names}")
        time.sleep(LOOK_SECONDS)
        seen = world.look()
    return seen


def startable(seen: dict[str, Live]) -> list[Live]:
    """Return the queued jobs if the largest of them fits: then the first one does."""
    queued = [live for live in seen.values() if live.state == "queued"]
    going = (live for live in seen.values() if live.state in ("running", "terminating"))
    free = NODES - sum(live.nodes for live in going)
    return queued if queued and max(live.nodes for live in queued) <= free else []


def nothing_started_twice(world: World) -> None:
    """Each rank of each attempt has started once."""
    if again := sorted(path.name for path in world.witness.glob("*.again.*")):
        raise InvariantError(f"started twice: {', '.join(again)}")


def ended_as_it_should(world: World, live: Live) -> None:
    """An end is the one that was planned, or one that a kill or a user explains."""
    job, hits = world.jobs[live.name], world.hits[live.attempt]
    behind = sum(hit in (SUPERVISOR, GUARDIAN) for hit in hits)
    # Horovod's rendezvous server counts as a grandchild.
    rank = RANK in hits or (GRANDCHILD in hits and job.toolkit == "horovod")
    match live.error:
        case None:
            exits = len(list(world.witness.glob(f"{live.attempt}.*.exit")))
            right = live.exit_code == 0 == job.code and exits == ranks_of(job)
        case "JobFailed":
            right = rank or live.exit_code == job.code != 0
        case "JobPreparationFailed":
            right = rank and job.prepared
        case "JobTerminated":
            right = live.name in world.asked_to_end
        case "JobSupervisorLost":
            right = behind > 0
        case "JobLaunchFailed":
            # A command that is killed while it starts a supervisor counts as well.
            launches = behind + sum(command.killed for command in world.commands)
            right = launches >= LAUNCHES or (rank and job.toolkit == "horovod")
        case _:
            right = False
    if not right:
        was = f"it was to end with {job.code}; killed: {', '.join(hits) or 'nothing'}"
        raise InvariantError(f"{live}, but {was}")


def ranks_of(job: Job) -> int:
    """Return how many ranks a job has."""
    return 1 if job.toolkit == "custom" else job.nodes


def logs_are_a_prefix(world: World, live: Live) -> None:
    """The logs are what the ranks wrote, whole if nothing was killed, else its beginning."""
    job, hits = world.jobs[live.name], world.hits[live.attempt]
    whole = live.error in (None, "JobFailed") and not hits
    for rank in range(ranks_of(job)):
        written = world.witness / f"{live.attempt}.{rank}.out"
        wrote = written.read_text() if written.exists() else ""
        log = log_of(job, live.logs, rank)
        # A rank that another one takes down is killed between witness and log.
        right = log == wrote if whole and not job.code else wrote.startswith(log)
        if not right:
            raise InvariantError(f"{live.name}, rank {rank}, wrote {wrote!r}; the log has {log!r}")


def log_of(job: Job, folder: Path, rank: int) -> str:
    """Return what a rank's log says it wrote on stdout."""
    name = f"stdout-{rank}.txt" if job.toolkit == "pyTorch" else "stdout.txt"
    path = folder / name
    text = path.read_text() if path.exists() else ""
    if job.toolkit == "horovod":
        lines = re.findall(rf"^\[{rank}\]<stdout>: (.*\n?)", text, re.MULTILINE)
        return "".join(lines)
    return text


def database_is_sound(world: World) -> None:
    """SQLite finds the database whole."""
    path = world.state / "state.db"
    if not path.exists():
        return
    with closing(sqlite3.connect(path, timeout=30)) as database:
        ((said,),) = database.execute("PRAGMA integrity_check").fetchall()[:1]
    if said != "ok":
        raise InvariantError(f"integrity_check: {said}")


def exit_code_is_right(world: World, command: Command, seen: dict[str, Live]) -> None:
    """A command that was not killed ends with a code that is documented for it."""
    if command.killed or not command.poll():
        return
    said = command.said
    jobs = [seen[name] for name in command.jobs if name in seen]
    failed = any(live.ended and live.error for live in jobs)
    disturbed = any(name in world.asked_to_end for name in command.jobs)
    # The job is deleted or run again at the same time, by another command.
    allowed = {0, 1, 2} if disturbed else {0, 1} if failed else {0}
    if command.words[0] in ("get", "cancel") and not disturbed:
        allowed = {0}
    if command.words[0] in ("apply", "wait") and "-d" not in command.words and not disturbed:
        allowed = {1} if failed else {0}
    if command.code not in allowed or "Traceback" in said or "internal error" in said:
        raise InvariantError(
            f"exit code {command.code}, expected one of {sorted(allowed)}: {command}"
        )


def nobody_is_left(world: World) -> None:
    """When all jobs have ended, all that stood behind them goes."""
    deadline = time.monotonic() + LEAVING_SECONDS
    while found := world.processes():
        if time.monotonic() > deadline:
            raise InvariantError(
                "all jobs have ended, and still there is " + "; ".join(map(str, found))
            )
        time.sleep(0.05)
