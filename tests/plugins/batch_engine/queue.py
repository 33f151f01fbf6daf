"""The queue: files in two folders, and a bell for the dispatcher.

A run that waits is a file in `waiting`. The dispatcher moves it to `running`, adds the nodes that
it gives to it, and removes it in the end. A run that is withdrawn before that move never starts.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from uuid import uuid4

from bai.runtime.node.environment import MARKER
from bai.runtime.node.own_python import own_python


@dataclass(frozen=True)
class Submitted:
    """A run in the queue."""

    uuid: str
    """The attempt's."""
    run: int
    count: int
    """How many nodes it needs."""
    priority: int
    time: float
    """When it was submitted, or when it started."""
    folder: str
    """The attempt's folder."""
    command: tuple[str, ...]
    nodes: tuple[str, ...] = ()
    """The nodes that it has; none while it waits."""

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.uuid}.{self.run}"


class Queue:
    """A queue of runs, and the nodes that they wait for."""

    def __init__(self, folder: Path, size: int) -> None:
        """Use the queue in a folder, which need not be there; it has so many nodes."""
        self.nodes = tuple(f"batch{number}" for number in range(size))
        self.folder = folder
        self._waiting = folder / "waiting"
        self._running = folder / "running"

    def submit(self, run: Submitted) -> None:
        """Put a run at its place, unless it is in the queue already.

        Raises:
            OSError: the folder can't be written.
        """
        for folder in (self._waiting, self._running):
            folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.mkfifo(self.folder / "bell")
        if not (self._running / run.name).exists():
            draft = self._write(run)
            with suppress(FileExistsError):
                os.link(draft, self._waiting / run.name)
            draft.unlink()
        self.ring()

    def withdraw(self, uuid: str, run: int) -> None:
        """Take a run that waits out of the queue."""
        with suppress(FileNotFoundError):
            (self._waiting / f"{uuid}.{run}").unlink()
            self.ring()

    def waiting(self) -> Sequence[Submitted]:
        """Return the runs that wait, in the order in which they start."""
        return sorted(_read(self._waiting), key=lambda run: (-run.priority, run.time))

    def running(self) -> Sequence[Submitted]:
        """Return the runs that have nodes, or are just getting some."""
        return sorted(_read(self._running), key=lambda run: run.time)

    def free(self) -> list[str]:
        """Return the nodes that no run has."""
        held = {node for run in self.running() for node in run.nodes}
        return [node for node in self.nodes if node not in held]

    def start(self, run: Submitted, nodes: Sequence[str]) -> Submitted | None:
        """Give a run that waits its nodes; None if it has been withdrawn."""
        try:
            (self._waiting / run.name).rename(self._running / run.name)
        except FileNotFoundError:
            return None
        started = replace(run, nodes=tuple(nodes), time=time.time())
        self._write(started).replace(self._running / run.name)
        return started

    def end(self, run: Submitted) -> None:
        """Take the nodes of a run back."""
        (self._running / run.name).unlink(missing_ok=True)

    def ring(self) -> None:
        """Have the dispatcher look at the queue; where there is none, start one."""
        try:
            bell = os.open(self.folder / "bell", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            # Nobody reads it.
            self._start_dispatcher()
            return
        with suppress(OSError):
            # A full pipe wakes it as well.
            os.write(bell, b"!")
        os.close(bell)

    def _start_dispatcher(self) -> None:
        command = own_python("batch_engine.dispatcher")
        with (self.folder / "dispatcher.log").open("ab") as log:
            subprocess.run(
                ["sh", "-c", '"$@" &', "sh", *command, str(self.folder), str(len(self.nodes))],
                check=True,
                env={name: value for name, value in os.environ.items() if name != MARKER},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _write(self, run: Submitted) -> Path:
        draft = self.folder / f"draft-{uuid4().hex}"
        draft.write_text(json.dumps(asdict(run)))
        return draft


def _read(folder: Path) -> list[Submitted]:
    found = []
    # None is made before the first run is submitted; a run may be gone again.
    with suppress(FileNotFoundError):
        for file in list(folder.iterdir()):
            with suppress(FileNotFoundError):
                kept = json.loads(file.read_text())
                lists = {"command": tuple(kept["command"]), "nodes": tuple(kept["nodes"])}
                found.append(Submitted(**(kept | lists)))
    return found
