"""The implementation of MPI that a job's mpirun belongs to: what it says of itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from bai.runtime.errors import LaunchError
from bai.runtime.node.machine import Process
from bai.runtime.supervisor.crew import TICK_SECONDS, Crew
from bai.runtime.toolkits.mpi import Mpi, implementation
from bai.runtime.toolkits.requirements import MPIRUN

ANSWER_SECONDS = 60.0
"""How long mpirun may take to say its version."""


def installed_mpi(
    crew: Crew, environment: Mapping[str, str], directory: str, check: Callable[[], None]
) -> Mpi:
    """Return the MPI whose mpirun the processes of the first node find.

    Args:
        crew: the machines.
        environment: the job's environment on the first node.
        directory: where the job's processes start there.
        check: called now and then; raises an exception to give up.

    Raises:
        LaunchError: there is no mpirun, or one of another implementation, or it does not answer.
        NodeLostError: the node was lost meanwhile.
    """
    answer = _Answer()
    process = Process([MPIRUN, "--version"], environment, directory)
    crew.gather([crew.machines[0].start(next(crew.numbers), process, answer)], check)
    until = time.monotonic() + ANSWER_SECONDS
    while not answer.ended:
        if time.monotonic() > until:
            raise LaunchError(f"`{MPIRUN} --version` gave no answer in {ANSWER_SECONDS:.0f} s")
        crew.check()
        check()
        crew.streams.step(TICK_SECONDS)
    return implementation(answer.output_so_far.decode(errors="replace"))


class _Answer:
    """Hears mpirun."""

    def __init__(self) -> None:
        self.output_so_far = b""
        self.ended = False

    def output(self, stream: str, data: bytes) -> None:  # noqa: ARG002 - an error is an answer, too
        self.output_so_far += data

    def symptom(self, rank: int | None) -> None:
        """Do nothing: it is no rank."""

    def halted(self, *, halted: bool) -> None:
        """Do nothing: that it is late is an error."""

    def measured(self, time: float, values: Mapping[str, float]) -> None:
        """Do nothing: it is no rank."""

    def exited(self, code: int) -> None:  # noqa: ARG002 - its output has the reason
        self.ended = True
