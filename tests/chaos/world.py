"""A folder with its own state, its jobs, and the commands that work on them."""

import json
import os
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from chaos import commands, processes
from chaos.commands import Command
from chaos.jobs import Job, Mix, random_job, spec
from chaos.processes import Process
from contexts import context_text
from engines import ENGINES, TestedEngine

NODES = 4
"""Nodes of the cluster, and slots of the engine."""

LONGEST = 60.0
"""How long a command may take, in seconds."""


class InvariantError(Exception):
    """Something that must never happen, with the evidence."""


@dataclass(frozen=True)
class Live:
    """A job as `bai get` shows it."""

    name: str
    attempt: str
    state: str
    nodes: int
    exit_code: int | None
    error: str | None
    logs: Path

    @property
    def ended(self) -> bool:
        """Whether it is over."""
        return self.state in ("succeeded", "failed")


@dataclass
class Settings:
    """How a run of the chaos is mixed."""

    command: list[str]
    """The installed bai."""
    engine: TestedEngine = ENGINES["local"]
    mix: Mix = field(default_factory=Mix)
    installed: float = 0.1
    """Share of the commands that are not forked, but started as users start them."""


@dataclass
class World:
    """A state folder, and all that was done in it."""

    folder: Path
    mark: str
    random: Random
    settings: Settings
    step: int = 0
    jobs: dict[str, Job] = field(default_factory=dict)
    specs: list[tuple[Path, tuple[str, ...]]] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    kills: list[str] = field(default_factory=list)
    hits: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """uuid of an attempt -> the roles of its processes that were killed."""
    asked_to_end: set[str] = field(default_factory=set)
    """Names of jobs that were cancelled, deleted or run again."""

    def __post_init__(self) -> None:
        """Make the folder."""
        self.witness.mkdir(parents=True)
        (self.folder / "output").mkdir()
        os.mkfifo(self.witness / "never")
        text = context_text("chaos", {"slots": NODES}, self.settings.engine.table)
        (self.folder / "bai.toml").write_text(text)

    @property
    def witness(self) -> Path:
        """Where the ranks note what they do."""
        return self.folder / "witness"

    @property
    def state(self) -> Path:
        """The state folder."""
        return self.folder / ".bai"

    def new_spec(self) -> tuple[Path, tuple[str, ...]]:
        """Write a spec of one to three new jobs."""
        count = self.random.choice((1, 1, 2, 3))
        new = [
            random_job(self.random, f"j{len(self.jobs) + each}", NODES, self.settings.mix)
            for each in range(count)
        ]
        path = self.folder / f"{new[0].name}.yaml"
        path.write_text(spec(new, self.folder, self.mark, NODES))
        self.jobs |= {job.name: job for job in new}
        self.specs.append((path, tuple(job.name for job in new)))
        return self.specs[-1]

    def start(self, *words: object, jobs: tuple[str, ...] = ()) -> Command:
        """Start a command."""
        line = tuple(map(str, words))
        output = self.folder / "output" / f"{len(self.commands)}.txt"
        if self.random.random() < self.settings.installed:
            pid = commands.installed(self.folder, line, output, self.settings.command)
        else:
            pid = commands.forked(self.folder, line, output)
        self.commands.append(Command(line, jobs, pid, output))
        return self.commands[-1]

    def finish(self, command: Command) -> Command:
        """Wait for the end of a command.

        Raises:
            InvariantError: it does not end.
        """
        deadline = time.monotonic() + LONGEST
        while not command.poll():
            if time.monotonic() > deadline:
                raise InvariantError(f"still running after {LONGEST:.0f} s: {command}")
            time.sleep(0.005)
        return command

    def run(self, *words: object) -> Command:
        """Run a command to its end; it must succeed.

        Raises:
            InvariantError: it fails or does not end.
        """
        command = self.finish(self.start(*words))
        if command.code != 0:
            raise InvariantError(f"exit code {command.code}, expected 0: {command}")
        return command

    def look(self) -> dict[str, Live]:
        """Return all jobs by name, after the keeper step of `bai get`."""
        shown = json.loads(self.run("get", "jobs", "-o", "json").said or "[]")
        return {each["name"]: self._live(each["properties"], each["name"]) for each in shown}

    def _live(self, job: dict[str, Any], name: str) -> Live:
        info, segment = job.get("executionInfo", {}), job["jobOutputDirectoryPathSegment"]
        errors = info.get("errors", [])
        return Live(
            name=name,
            attempt=segment.rpartition("/")[2],
            state=job["executionState"],
            nodes=job["nodeCount"],
            exit_code=info.get("exitCode"),
            error=errors[0]["code"] if errors else None,
            logs=self.state / "storage/default/files/r" / segment / "stdouterr",
        )

    def processes(self) -> list[Process]:
        """Return what runs for the jobs."""
        running = {command.pid for command in self.commands if command.code is None}
        return processes.of_world(self.mark, self.state, running)

    def has_not_begun(self, attempt: str) -> bool:
        """Return whether no rank of an attempt has started."""
        return not any(self.witness.glob(f"{attempt}.*"))

    def open_gates(self) -> None:
        """Let all jobs end."""
        for name in self.jobs:
            (self.witness / f"go.{name}").touch()
