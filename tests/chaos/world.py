"""A folder with its own state, its jobs, and the commands that work on them."""

import os
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from chaos import commands, processes, state
from chaos.commands import Command
from chaos.jobs import Job, Mix, Sweep, random_job, spec
from chaos.processes import Process
from chaos.state import Snapshot
from contexts import context_text
from engines import ENGINES, TestedEngine

NODES = 6
"""Most nodes of the cluster, and slots of the engine."""

LARGEST = 4
"""Most nodes of a job."""

SWEEPS = 0.25
"""Share of the specs that have a sweep."""

LONGEST = 60.0
"""How long a command may take, in seconds."""


class InvariantError(Exception):
    """Something that must never happen, with the evidence."""


@dataclass
class Settings:
    """How a run of the chaos is mixed, and what it has killed so far."""

    command: list[str]
    """The installed bai."""
    engine: TestedEngine = ENGINES["local"]
    mix: Mix = field(default_factory=Mix)
    installed: float = 0.1
    """Share of the commands that are not forked, but started as users start them."""
    killed: Counter[str] = field(default_factory=Counter)
    """What was killed -> how often, in all worlds."""


@dataclass(frozen=True)
class Hit:
    """Something of an attempt that was killed."""

    time: float
    role: str


@dataclass
class World:
    """A state folder, and all that was done in it."""

    folder: Path
    mark: str
    random: Random
    settings: Settings
    step: int = 0
    jobs: dict[str, Job] = field(default_factory=dict)
    sweeps: dict[str, Sweep] = field(default_factory=dict)
    specs: list[tuple[Path, tuple[str, ...]]] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    kills: list[str] = field(default_factory=list)
    hits: defaultdict[str, list[Hit]] = field(default_factory=lambda: defaultdict(list))
    """uuid of an attempt -> what of it was killed."""
    checked: set[str] = field(default_factory=set)
    """Attempts whose end and logs were found right."""

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
        """Write a spec of one to three new jobs, or of a sweep."""
        if self.random.random() < SWEEPS:
            return self._new_sweep()
        count = self.random.choice((1, 1, 2, 3))
        new = [
            random_job(self.random, f"j{len(self.jobs) + each}", LARGEST, self.settings.mix)
            for each in range(count)
        ]
        return self._write(new, new)

    def _new_sweep(self) -> tuple[Path, tuple[str, ...]]:
        one = random_job(self.random, f"s{len(self.jobs)}", LARGEST // 2, self.settings.mix)
        sweep = Sweep(self.random.randint(2, 4), self.random.randint(1, 2))
        self.sweeps[one.name] = sweep
        members = [replace(one, name=name) for name in sweep.names(one.name)]
        return self._write([replace(one, sweep=sweep)], members)

    def _write(self, written: list[Job], made: list[Job]) -> tuple[Path, tuple[str, ...]]:
        """Write a spec of some jobs, and note those that it makes."""
        path = self.folder / f"{written[0].name}.yaml"
        path.write_text(spec(written, self.folder, self.mark, NODES))
        self.jobs |= {job.name: job for job in made}
        self.specs.append((path, tuple(job.name for job in made)))
        return self.specs[-1]

    def start(self, *words: object, jobs: tuple[str, ...] = (), forked: bool = False) -> Command:
        """Start a command, which is about some jobs; `forked`: surely not the installed one."""
        line = tuple(map(str, words))
        output = self.folder / "output" / f"{len(self.commands)}.txt"
        existing = frozenset(attempt.job for attempt in self.look().attempts.values())
        if not forked and self.random.random() < self.settings.installed:
            pid = commands.installed(self.folder, line, output, self.settings.command)
        else:
            pid = commands.forked(self.folder, line, output)
        self.commands.append(Command(line, jobs, pid, output, existing))
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
        command = self.finish(self.start(*words, forked=True))
        if command.code != 0:
            raise InvariantError(f"exit code {command.code}, expected 0: {command}")
        return command

    def keep(self) -> None:
        """Have a command take a keeper step."""
        self.run("get", "jobs", "-o", "name")

    def look(self) -> Snapshot:
        """Return what the database holds now."""
        return state.read(self.state)

    def processes(self) -> list[Process]:
        """Return what runs for the jobs."""
        return processes.of_world(self.mark, self.state, {c.pid for c in self.running()})

    def running(self) -> list[Command]:
        """Return the commands that have not ended."""
        return [command for command in self.commands if not command.poll()]

    def open_gates(self) -> None:
        """Let all jobs end."""
        for name in self.jobs:
            (self.witness / f"go.{name}").touch()
