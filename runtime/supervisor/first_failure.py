"""Which process of a gang failed first.

The order of exits is not enough: a rank of Horovod that raises an exception disconnects from the
others first, and they often end before it does. But their output names the cause: an aborted
collective. The rank that they miss may also have ended with exit code 0, before its work was done.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from bai.runtime.node import symptoms
from bai.runtime.toolkits.requirements import MPIRUN

_TERMINATED = 128 + signal.SIGTERM


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of one process."""

    name: str
    """What messages call the process: `rank 1`, `node-0`."""
    exit_code: int
    missed: str | None = None
    """The process that it complains of, if that had ended with exit code 0."""

    def __str__(self) -> str:
        if self.missed:
            gone = f"{self.missed} ended with exit code 0 while others needed it"
            return f"{gone}, and {self.name} failed with {self.code}"
        return f"{self.name} failed first with {self.code}"

    @property
    def culprit(self) -> str:
        """The process to blame."""
        return self.missed or self.name

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
        self._ended: list[str] = []
        self._caused: set[str] = set()
        self._named: dict[str, str] = {}

    def observer(self, name: str) -> Callable[[bytes], None]:
        """Return a function that takes the error output of a process, piece by piece."""
        return symptoms.observer(partial(self.symptom, name))

    def symptom(self, name: str, rank: int | None) -> None:
        """Note what the output of a process says.

        Args:
            name: the process.
            rank: the rank that it names as failed; None if it complains of another process.
        """
        if rank is None:
            self._caused.add(name)
        else:
            self._named[name] = f"rank {rank}"

    def add(self, name: str, exit_code: int) -> None:
        """Add the failure of a process whose error output has been observed."""
        self._failures.append(Failure(name, exit_code))

    def add_end(self, name: str) -> None:
        """Add the end of a process with exit code 0, whose error output has been observed."""
        self._ended.append(name)

    @property
    def certain(self) -> bool:
        """Whether a process has failed by itself, and not because another one did.

        A failure of mpirun is that of a rank, whose output may come later, from another node.
        """
        return any(
            self._own(each) and (each.name != MPIRUN or self._named) for each in self._failures
        )

    @property
    def first(self) -> Failure | None:
        """The first process that failed by itself; if there is none, the first that failed.

        If it complains of another one, that may be one that has ended. mpirun's failure is that of
        the rank that it names, or that says of itself that it aborts.
        """
        found = next(filter(self._own, self._failures), next(iter(self._failures), None))
        if found and found.name == MPIRUN and self._named:
            name = self._named.get(MPIRUN) or next(iter(self._named.values()))
            return Failure(name, found.exit_code)
        if found and found.name in self._caused:
            # One that complains as well has only taken the others' end for no failure.
            missed = next((name for name in self._ended if name not in self._caused), None)
            return replace(found, missed=missed)
        return found

    def _own(self, failure: Failure) -> bool:
        # SIGTERM is what a launcher sends to all others when one rank fails.
        return failure.name not in self._caused and failure.exit_code != _TERMINATED
