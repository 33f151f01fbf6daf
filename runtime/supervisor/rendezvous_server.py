"""Horovod's rendezvous server, where its ranks find each other, run with the job's interpreter."""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Mapping
from pathlib import Path

from bai.runtime.errors import LaunchError
from bai.runtime.node import processes

SCRIPT = Path(__file__).with_name("rendezvous.py")
START_SECONDS = 60.0
"""How long the server may take to start."""


class RendezvousServer:
    """A rendezvous server that ends with this process."""

    def __init__(
        self, python: str, hosts: Mapping[str, int], environment: Mapping[str, str], log: Path
    ) -> None:
        """Start the server without waiting until it serves.

        Args:
            python: the job's interpreter, whose Horovod is used.
            hosts: node id -> number of its ranks, in order.
            environment: the job's environment.
            log: where the server's error output goes.

        Raises:
            LaunchError: the interpreter can't be run.
            OSError: the log can't be made.
        """
        self._python = python
        self._log = log
        slots = ",".join(f"{host}:{count}" for host, count in hosts.items())
        with log.open("wb") as errors:
            try:
                self._process = subprocess.Popen(
                    [python, str(SCRIPT), slots, str(sum(hosts.values()))],
                    env=dict(environment),
                    # Relative folders in PYTHONPATH are the job's, not those beside the spec.
                    cwd=log.parent,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    preexec_fn=processes.die_with(os.getpid()),
                )
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or "its environment has a NUL character"
                raise LaunchError(f"can't run {python}: {reason}") from None

    @property
    def pid(self) -> int:
        """Process id of the server."""
        return self._process.pid

    def poll(self, seconds: float) -> list[dict[str, str]] | None:
        """Return the environment of each rank, or None if they are not known in `seconds`.

        Raises:
            LaunchError: the interpreter has no Horovod, or the server does not start.
        """
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], seconds)[0]:
            return None
        line = self._process.stdout.readline()
        if not line:
            raise LaunchError(self._reason())
        ranks: list[dict[str, str]] = json.loads(line)["ranks"]
        return ranks

    def close(self) -> None:
        """Stop the server."""
        # It holds nothing that is worth an orderly end.
        self._process.kill()
        self._process.communicate()

    def _reason(self) -> str:
        text = self._log.read_text(errors="replace").strip()
        if "No module named 'horovod'" in text:
            return no_horovod(self._python)
        last = text.splitlines()[-1] if text else "it said nothing"
        return f"Horovod's rendezvous server does not start with {self._python}: {last}"


def no_horovod(python: str) -> str:
    """Return the message for an interpreter without Horovod."""
    return (
        f"Horovod is not installed for {python}: build it with "
        f"`{python} -m pip install --no-build-isolation horovod`, or choose another interpreter "
        "(`python` of the toolkit or of the context)"
    )
