"""Commands that run on a machine and answer by what they write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bai.runtime.errors import LaunchError, NodeLostError
from bai.runtime.node.machine import Answer, Machine, Process


class Done(NamedTuple):
    """A command that has ended."""

    code: int
    output: bytes
    said: str
    """Its error output."""

    @property
    def reason(self) -> str:
        """The last line of the error output, or the exit code."""
        lines = self.said.strip().splitlines()
        return lines[-1].strip() if lines else f"exit code {self.code}"


class _Command:
    """Hears a command."""

    def __init__(self, answer: Answer[Done]) -> None:
        self._answer = answer
        self._output = {"stdout": b"", "stderr": b""}

    def output(self, stream: str, data: bytes) -> None:
        self._output[stream] += data

    def symptom(self, rank: int | None) -> None:
        pass

    def halted(self, *, halted: bool) -> None:
        pass

    def measured(self, time: float, values: Mapping[str, float]) -> None:
        pass

    def exited(self, code: int) -> None:
        said = self._output["stderr"].decode(errors="replace")
        self._answer.give(Done(code, self._output["stdout"], said))


def command(
    machine: Machine, number: int, argv: Sequence[str], environment: Mapping[str, str]
) -> Answer[Done]:
    """Run a command on a machine; it answers when the command has ended.

    Args:
        machine: the machine.
        number: what the process is called there.
        argv: the command line.
        environment: all of the command's variables.
    """
    answer: Answer[Done] = Answer()
    started = machine.start(number, Process(argv, environment, "/"), _Command(answer))

    def check() -> None:
        try:
            started.result()
        except (LaunchError, OSError, NodeLostError) as error:
            answer.fail(error)

    started.then(check)
    return answer
