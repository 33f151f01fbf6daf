"""Agents that commands start, one for each node, and reach by their stdio: ssh, or a container."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bai.runtime.errors import LaunchError
from bai.runtime.last_line import last_line
from bai.runtime.node.far import LEASE_SECONDS, Far
from bai.runtime.node.processes import GRACE_SECONDS, KILL_SECONDS
from bai.runtime.node.streams import Streams

JOIN_SECONDS: Final = 60.0
"""How long an agent may take to join."""

_TICK_SECONDS: Final = 0.2
_LOST_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Host:
    """How one machine is reached."""

    name: str
    command: Sequence[str]
    """Runs the agent there, with its stdin and stdout."""
    address: str | None = None
    """Where other nodes reach it; None if the machine knows best."""


class SpawnedAgents:
    """Starts the agents of some hosts."""

    def __init__(self, hosts: Sequence[Host], log: Path, lease: float = LEASE_SECONDS) -> None:
        """Start nothing yet.

        Args:
            hosts: a host for each node.
            log: where the agents' error output goes.
            lease: seconds of silence after which a machine is lost.
        """
        self._hosts = hosts
        self._log = log
        self._lease = lease
        self._agents: list[tuple[subprocess.Popen[bytes], Far]] = []

    def join(self, streams: Streams, count: int, check: Callable[[], None]) -> list[Far]:
        """Start the agents, and wait until all have joined.

        Raises:
            LaunchError: one can't be started, or does not join.
        """
        for host in self._hosts[:count]:
            self._agents.append(self._start(streams, host))
        machines = [machine for _, machine in self._agents]
        until = time.monotonic() + JOIN_SECONDS
        while not all(machine.joined for machine in machines):
            check()
            for machine in machines:
                late = time.monotonic() > until and not machine.joined
                if machine.lost or late:
                    raise self._refusal(machine)
            streams.step(_TICK_SECONDS)
        return machines

    def close(self) -> None:
        """Close the links, and end agents that do not end by themselves."""
        lost = [machine.lost is not None for _, machine in self._agents]
        for _, machine in self._agents:
            machine.close()
        for (process, _), was_lost in zip(self._agents, lost, strict=True):
            _await(process, _LOST_SECONDS if was_lost else 2 * GRACE_SECONDS)

    def _start(self, streams: Streams, host: Host) -> tuple[subprocess.Popen[bytes], Far]:
        try:
            with self._log.open("ab") as log:
                process = subprocess.Popen(
                    host.command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    start_new_session=True,
                )
        except OSError as error:
            raise LaunchError(
                f"can't start the agent of node {host.name}: {error.strerror}"
            ) from None
        assert process.stdin
        assert process.stdout
        with process.stdin, process.stdout:
            pipes = os.dup(process.stdout.fileno()), os.dup(process.stdin.fileno())
        return process, Far(streams, *pipes, host.name, host.address, self._lease)

    def _refusal(self, machine: Far) -> LaunchError:
        reason = machine.lost or f"it did not join in {JOIN_SECONDS:.0f} s"
        said = machine.noise or last_line(self._log)
        more = f" ({said})" if said else ""
        return LaunchError(f"the agent of node {machine.host} does not join: {reason}{more}")


def _await(process: subprocess.Popen[bytes], patience: float) -> None:
    """Wait for an agent whose link is closed; end one that hangs."""
    for number, limit in ((signal.SIGTERM, patience), (signal.SIGKILL, KILL_SECONDS)):
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        else:
            return
    process.wait()
