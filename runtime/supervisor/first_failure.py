"""Which process of a gang failed first.

The order of exits is not enough: a rank of Horovod that raises an exception disconnects from the
others first, and they often end before it does. But their output names the cause: an aborted
collective.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from dataclasses import dataclass

_SYMPTOM = re.compile(
    rb"HorovodInternalError|Horovod has been shut down|Connection (?:closed|reset) by peer"
    rb"|Broken pipe"
)
_NAMED_RANK = re.compile(
    rb"MPI_ABORT was invoked on rank (\d+)|Process name: \[\[\d+,\d+\],(\d+)\]"
)
_LONGEST = 64
"""Bytes of output to keep, since what is looked for may be cut in two."""

_TERMINATED = 128 + signal.SIGTERM


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of one process."""

    name: str
    """What messages call the process: `rank 1`, `node-0`."""
    exit_code: int

    def __str__(self) -> str:
        return f"{self.name} failed first with {self.code}"

    @property
    def code(self) -> str:
        """The exit code in words: `exit code 1`, `exit code 139 (SIGSEGV)`."""
        try:
            return f"exit code {self.exit_code} ({signal.Signals(self.exit_code - 128).name})"
        except ValueError:
            return f"exit code {self.exit_code}"


class Failures:
    """The failures of a gang's processes; finds the first that no other one caused."""

    def __init__(self) -> None:
        """Begin with no failure."""
        self._failures: list[Failure] = []
        self._caused: set[str] = set()
        self._named: dict[str, str] = {}

    def observer(self, name: str) -> Callable[[bytes], None]:
        """Return a function that takes the error output of a process, piece by piece."""
        rest = b""

        def observe(data: bytes) -> None:
            nonlocal rest
            text = rest + data
            if _SYMPTOM.search(text):
                self._caused.add(name)
            if match := _NAMED_RANK.search(text):
                self._named[name] = f"rank {(match[1] or match[2]).decode()}"
            rest = text[-_LONGEST:]

        return observe

    def add(self, name: str, exit_code: int) -> None:
        """Add the failure of a process whose error output has been observed.

        mpirun's failure is that of the rank that it names.
        """
        self._failures.append(Failure(self._named.get(name, name), exit_code))

    @property
    def certain(self) -> bool:
        """Whether a process has failed by itself, and not because another one did."""
        return any(map(self._own, self._failures))

    @property
    def first(self) -> Failure | None:
        """The first process that failed by itself; if there is none, the first that failed."""
        return next(filter(self._own, self._failures), next(iter(self._failures), None))

    def _own(self, failure: Failure) -> bool:
        # SIGTERM is what a launcher sends to all others when one rank fails.
        return failure.name not in self._caused and failure.exit_code != _TERMINATED
