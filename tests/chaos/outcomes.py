"""What must hold of ends, logs and exit codes, whatever was killed."""

import re
from itertools import product
from math import inf
from pathlib import Path

from chaos.commands import Command
from chaos.jobs import Job
from chaos.processes import AGENT, GRANDCHILD, RANK, SUPERVISOR
from chaos.state import Attempt, Snapshot
from chaos.world import InvariantError, World

ALL_BEHIND = "all behind it"
"""A kill that left nothing behind an attempt."""

KILLED = 137
"""The exit code of a process that SIGKILL ended."""

CLOCK_SECONDS = 0.05
"""How exact times are."""


def check(world: World, seen: Snapshot) -> None:
    """Check the ends and logs of all attempts, and the exit codes of all commands.

    Raises:
        InvariantError: one is not right.
    """
    for attempt in seen.attempts.values():
        runs_are_asked_for(world, attempt)
        if attempt.is_over and attempt.uuid not in world.checked:
            ended_as_it_should(world, attempt)
            logs_are_as_written(world, attempt)
            world.checked.add(attempt.uuid)
    for command in world.commands:
        exit_code_is_right(world, command, seen)


def ended_as_it_should(world: World, attempt: Attempt) -> None:
    """An end is the one that was planned, or one that a kill or a user explains."""
    job = world.jobs[attempt.job]
    hits = hits_of(world, attempt, since=attempt.started - CLOCK_SECONDS)
    is_planned = attempt.exit_code == job.code
    # What Horovod starts beside the ranks, its rendezvous, is one of the grandchildren.
    is_broken = job.toolkit == "horovod" and bool(hits & {RANK, GRANDCHILD})
    match attempt.error:
        case None:
            ends = len(list(world.witness.glob(f"{attempt.uuid}.*.{attempt.run}.exit")))
            right = is_planned and job.code == 0 and ends == ranks_of(job)
        case "JobFailed":
            killed = RANK in hits and attempt.exit_code == KILLED
            right = (is_planned and job.code != 0) or killed or is_broken
        case "JobPreparationFailed":
            right = job.prepared and RANK in hits and attempt.exit_code == KILLED
        case "JobTerminated":
            right = asked(world, attempt, "cancel") + asked(world, attempt, "delete") > 0
        case "JobNodeRemoved":
            right = asked(world, attempt, "scale", "terminate") > 0
        case "JobSupervisorLost":
            right = bool(hits & {SUPERVISOR, ALL_BEHIND})
        case "JobLaunchFailed":
            # No supervisor may give up since others were killed before it.
            right = is_broken or (AGENT in hits and "does not join" in attempt.message)
        case "JobNodeLost":
            right = AGENT in hits
        case _:
            right = False
    if not right:
        was = f"it was to end with {job.code}; killed: {', '.join(sorted(hits)) or 'nothing'}"
        raise InvariantError(f"{attempt}, but {was}")


def hits_of(world: World, attempt: Attempt, since: float = -inf) -> set[str]:
    """Return the roles of what was killed of an attempt since a time."""
    return {hit.role for hit in world.hits[attempt.uuid] if hit.time >= since}


def asked(world: World, attempt: Attempt, word: str, option: str | None = None) -> int:
    """Return how many commands of a kind ran in the time of an attempt and may have ended it."""
    return sum(
        command.words[0] == word
        and (option is None or option in command.words)
        and (attempt.job in command.jobs or word == "scale")
        and command.overlaps(attempt.created, attempt.ended)
        for command in world.commands
    )


def runs_are_asked_for(world: World, attempt: Attempt) -> None:
    """An attempt runs again only if its nodes were taken from it, once for each time."""
    requeues = asked(world, attempt, "scale", "requeue")
    if attempt.run - 1 > requeues:
        raise InvariantError(f"{attempt}, but only {requeues} commands can have requeued it")


def ranks_of(job: Job) -> int:
    """Return how many ranks a job has."""
    return 1 if job.toolkit == "custom" else job.nodes


def logs_are_as_written(world: World, attempt: Attempt) -> None:
    """The logs are what the ranks wrote, run after run.

    Whole if all went well. A rank that is ended may be between witness and log, with one line. What
    was on its way when the supervisor or an agent was killed is missing.
    """
    job, hits = world.jobs[attempt.job], hits_of(world, attempt)
    is_whole = attempt.error is None and not hits
    lost = inf if hits & {SUPERVISOR, ALL_BEHIND, AGENT} else 1
    for rank in range(ranks_of(job)):
        log = rest = log_of(job, attempt.logs, rank)
        missing = ""
        for run in range(1, attempt.run + 1):
            wrote = written(world, attempt, rank, run)
            same = common(rest, wrote)
            rest, missing = rest[same:], wrote[same:]
            if missing.count("\n") > lost:
                break
        if rest or missing.count("\n") > lost or (missing and is_whole):
            runs = [written(world, attempt, rank, run) for run in range(1, attempt.run + 1)]
            raise InvariantError(
                f"rank {rank} of {attempt} wrote {runs}, the log has {log!r}; "
                f"killed: {', '.join(sorted(hits)) or 'nothing'}"
            )


def common(one: str, other: str) -> int:
    """Return how long the beginning is that two texts share."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def written(world: World, attempt: Attempt, rank: int, run: int) -> str:
    """Return what a rank noted in a run before it wrote it."""
    path = world.witness / f"{attempt.uuid}.{rank}.{run}.out"
    return path.read_text() if path.exists() else ""


def log_of(job: Job, folder: str, rank: int) -> str:
    """Return what a rank's log says it wrote on stdout."""
    name = f"stdout-{rank}.txt" if job.toolkit == "pyTorch" else "stdout.txt"
    path = Path(folder, name)
    text = path.read_text() if path.exists() else ""
    if job.toolkit == "horovod":
        lines = re.findall(rf"^\[{rank}\]<stdout>: (.*\n?)", text, re.MULTILINE)
        return "".join(lines)
    return text


def exit_code_is_right(world: World, command: Command, seen: Snapshot) -> None:
    """A command that was not killed ends with a code that is documented for it."""
    if command.killed or not command.poll():
        return
    said = command.said
    allowed = allowed_codes(world, command, seen)
    if command.code not in allowed or "Traceback" in said or "internal error" in said:
        raise InvariantError(
            f"exit code {command.code}, expected one of {sorted(allowed)}: {command}"
        )


def allowed_codes(world: World, command: Command, seen: Snapshot) -> set[int]:
    """Return the exit codes that a command may have."""
    if any(is_disturbed(world, command, job) for job in command.jobs):
        return {0, 1, 2}
    if command.words[0] != "apply" and not command.existing.issuperset(command.jobs):
        # The command that was to make the job may have been killed.
        return {0, 1, 2}
    if command.words[0] == "apply" and "changed since the plan was made" in command.said:
        others = [each for each in world.commands if each.words[0] in ("apply", "scale")]
        if any(o is not command and o.overlaps(command.started, command.ended) for o in others):
            return {2}
    follows = command.words[0] in ("wait", "logs") or (
        command.words[0] == "apply" and "-d" not in command.words
    )
    if not follows:
        # A job that has failed and has not changed is not run again.
        has_failed = any(
            each.job in command.jobs and each.error and each.ended < command.ended + CLOCK_SECONDS
            for each in seen.attempts.values()
        )
        return {0, 1} if command.words[0] == "apply" and has_failed else {0}
    choices = [results(command, seen, job) for job in command.jobs]
    return {max(choice) for choice in product(*choices)}


def is_disturbed(world: World, command: Command, job: str) -> bool:
    """Return whether another command may have ended, deleted or replaced a job meanwhile.

    A deletion that was killed goes on with the commands that follow.
    """
    others = (each for each in world.commands if each is not command and job in each.jobs)
    return any(
        other.overlaps(command.started, command.ended)
        or (other.words[0] == "delete" and other.started < command.ended)
        for other in others
        if other.words[0] in ("cancel", "delete") or "--rerun" in other.words
    )


def results(command: Command, seen: Snapshot, job: str) -> set[int]:
    """Return the exit codes that the ends of a job stand for while a command followed it."""
    attempts = [
        each
        for each in seen.attempts.values()
        if each.job == job and each.created <= command.ended + CLOCK_SECONDS
    ]
    newest = [each for each in attempts if each.ended >= command.started] or attempts[-1:]
    return {int(each.error is not None) for each in newest if each.is_over} or {0, 1}
