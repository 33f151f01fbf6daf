"""Horovod's rendezvous server, where its ranks find each other, run with the job's interpreter."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from bai.runtime.errors import LaunchError
from bai.runtime.last_line import last_line
from bai.runtime.node.machine import Process
from bai.runtime.supervisor.crew import Crew
from bai.runtime.toolkits.requirements import no_horovod, no_horovod_inside

RENDEZVOUS = "rendezvous.py"
"""The script that runs the server, in the folder of bai's scripts of each machine."""

START_SECONDS = 60.0
"""How long the server may take to start."""


class RendezvousServer:
    """A rendezvous server on the first node, which ends with the gang."""

    def __init__(
        self,
        crew: Crew,
        python: str,
        hosts: Mapping[str, int],
        environment: Mapping[str, str],
        log: Path,
        image: str | None = None,
    ) -> None:
        """Start the server without waiting until it serves.

        Args:
            crew: the machines.
            python: the job's interpreter, whose Horovod is used.
            hosts: node id -> number of its ranks, in order.
            environment: the job's environment.
            log: where the server's error output goes.
            image: what the container is made of that it runs in; None if it runs in none.

        Raises:
            LaunchError: the interpreter can't be run.
            OSError: the log can't be made.
        """
        self._python = python
        self._log = log
        self._image = image
        self._output = b""
        self._ended = False
        facts = crew.facts[0]
        slots = ",".join(f"{host}:{count}" for host, count in hosts.items())
        script = f"{facts.scripts}/{RENDEZVOUS}"
        count = str(sum(hosts.values()))
        process = Process(
            argv=[python, script, slots, count, facts.address, facts.interface],
            environment=environment,
            # Relative folders in PYTHONPATH are the job's, not those beside the spec.
            directory=str(log.parent),
        )
        log.write_bytes(b"")
        self.number = next(crew.numbers)
        """Of the server's process."""
        crew.gather([crew.machines[0].start(self.number, process, self)])

    def output(self, stream: str, data: bytes) -> None:
        """Take what the server says."""
        if stream == "stdout":
            self._output += data
        else:
            with self._log.open("ab") as log:
                log.write(data)

    def symptom(self, rank: int | None) -> None:
        """Do nothing: it is no rank."""

    def halted(self, *, halted: bool) -> None:
        """Do nothing: a server that is late to start is an error."""

    def measured(self, time: float, values: Mapping[str, float]) -> None:
        """Do nothing: it is no rank."""

    def exited(self, code: int) -> None:  # noqa: ARG002 - its output has the reason
        """Take that it has ended."""
        self._ended = True

    def ranks(self) -> list[dict[str, str]] | None:
        """Return the environment of each rank, or None if they are not known yet.

        Raises:
            LaunchError: the interpreter has no Horovod, or the server does not start.
        """
        line, end, _ = self._output.partition(b"\n")
        if end:
            ranks: list[dict[str, str]] = json.loads(line)["ranks"]
            return ranks
        if self._ended:
            raise LaunchError(self._reason())
        return None

    def _reason(self) -> str:
        text = self._log.read_text(errors="replace")
        if "No module named 'horovod'" in text:
            if self._image:
                return no_horovod_inside(self._python, self._image)
            return no_horovod(self._python)
        last = last_line(self._log) or "it said nothing"
        return f"Horovod's rendezvous server does not start with {self._python}: {last}"
