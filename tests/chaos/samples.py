"""Worlds of the chaos as its checks are to see them."""

from dataclasses import replace
from math import inf
from pathlib import Path

from chaos.commands import Command
from chaos.jobs import Job
from chaos.state import Snapshot

UUID = "12345678-1234-1234-1234-123456789abc"
OTHER = "22345678-1234-1234-1234-123456789abc"
JOB = Job("j0", "custom", 1, 2, 0, (), False, False, "normal", False)


def shows(world, monkeypatch, *attempts, nodes=()):
    found = Snapshot({attempt.uuid: attempt for attempt in attempts}, nodes)
    monkeypatch.setattr(world, "look", lambda: found)
    return found


def running(attempt, **more):
    return replace(attempt, state="running", ended=inf, exit_code=None, **{"held": (0,), **more})


def queued(attempt, **more):
    return replace(attempt, state="queued", ended=inf, exit_code=None, **more)


def failed(attempt, error, **more):
    return replace(attempt, state="failed", error=error, **{"exit_code": None, **more})


def command(world, *words, jobs=("j0",), begin=102.0, end=103.0, code=0, killed=False):
    output = world.folder / "output.txt"
    output.touch()
    made = Command(words, jobs, 0, output, frozenset(jobs), killed, code, begin, end)
    world.commands.append(made)
    return made


def wrote(world, attempt, *runs, log):
    for run, text in enumerate(runs, 1):
        (world.witness / f"{UUID}.0.{run}.out").write_text(text)
    Path(attempt.logs, "stdout.txt").write_text(log)
