"""A container on a machine, which runs the processes of one node."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from bai.runtime.containers.program import ContainerProgram
from bai.runtime.errors import LaunchError
from bai.runtime.mounts.driver import Mount
from bai.runtime.node import box_scripts
from bai.runtime.node.commands import Done, command
from bai.runtime.node.machine import Answer, Facts, Hear, Machine, Process
from bai.runtime.node.processes import GRACE_SECONDS, KILL_SECONDS
from bai.runtime.node.streams import Streams

PROCESS_VARIABLE: Final = "BAI_PROCESS"
"""The variable of a process in a container that the machine finds it by."""

_END_SECONDS: Final = GRACE_SECONDS + KILL_SECONDS + 10.0
"""How long to wait for a container whose processes are being ended: its program may hang."""
_START_SECONDS: Final = 120.0
"""How long a process may take until it runs, on a busy machine."""

T = TypeVar("T")
S = TypeVar("S")


class Box:
    """A container that runs, as a machine: what it runs are commands of the machine below it.

    Its machine may be here or far; both see the folder of scripts.
    """

    def __init__(
        self,
        below: Machine,
        program: ContainerProgram,
        name: str,
        image: str,
        user: str,
        facts: Facts,
        scripts: Path,
        streams: Streams,
        numbers: Iterator[int],
    ) -> None:
        """Take a container that runs.

        Args:
            below: the machine that it runs on.
            program: what runs it.
            name: its name.
            image: what it is made of, for messages.
            user: the ids of the user and the group of its processes.
            facts: what it is: the machine's facts with the container's variables.
            scripts: a folder that it shares with the machine and with this process.
            streams: the event loop that the machine is heard in.
            numbers: of processes of the machine below.
        """
        self.facts = facts
        self._below = below
        self._program = program
        self._name = name
        self._image = image
        self._user = user
        self._scripts = scripts
        self._numbers = numbers
        self._running: dict[int, Process] = {}
        self._starting: dict[int, _Starting] = {}
        self._ending: _Ending | None = None
        streams.each_step(self._settle)

    @property
    def lost(self) -> str | None:
        """Why its machine can't be reached any more."""
        return self._below.lost

    @property
    def silence(self) -> float:
        """Seconds after which its machine is lost if that says nothing."""
        return self._below.silence

    def hear_reports(self, take: Callable[[bytes], None]) -> None:
        """Hand on what scripts report on its machine."""
        self._below.hear_reports(take)

    def ports(self, count: int) -> Answer[Sequence[int]]:
        """Find free ports of its machine, whose network it has."""
        return self._below.ports(count)

    def find(self, program: str, directory: str, path: str | None) -> Answer[str]:
        """Find a program in it."""
        found: Answer[str] = Answer()
        asked = self._command(box_scripts.FIND_PROGRAM, directory, program, path or "")

        def take(done: Done) -> None:
            if done.code == 0:
                found.give(done.output.decode(errors="replace").strip())
            else:
                found.fail(self._lacks(program))

        _forward(asked, take, found)
        return found

    def prepare(
        self, mounts: Sequence[Mount], folders: Sequence[str], empty: Sequence[str]
    ) -> Answer[None]:
        """Make mounts and folders of its machine; it sees those that were there before it."""
        return self._below.prepare(mounts, folders, empty)

    def unmount(self, mounts: Sequence[Mount]) -> Answer[Sequence[str]]:
        """Take mounts of its machine away."""
        return self._below.unmount(mounts)

    def start(self, number: int, process: Process, hear: Hear) -> Answer[None]:
        """Start a process in it, or listen to the pipes of one that another one starts there.

        The answer comes when the process is about to become its program, or has not found it.
        """
        ears = _Ears(self, number, hear)
        if process.pipes:
            self._running[number] = process
            # What is measured is found by a process id, which is another one in here.
            return self._below.start(number, replace(process, rank=None), ears)
        token = f"{self._name}/{number}"
        own = {**process.environment, PROCESS_VARIABLE: token}
        script = self._scripts / f"{number}.sh"
        inherited = self.facts.environment
        try:
            text = box_scripts.process_script(
                replace(process, environment=own),
                inherited,
                script,
                self._pid_file(number),
                self._missing_file(number),
            )
            box_scripts.write_private(script, text)
        except (LaunchError, OSError) as error:
            return Answer.of(_raise(error))
        self._running[number] = process
        outside = replace(
            process,
            argv=self._program.execute(self._name, self._user, ["sh", str(script)]),
            environment=self._below.facts.environment,
            directory="/",
            cpus=None,
            stands_for=f"{PROCESS_VARIABLE}={token}",
        )
        starting = _Starting(process.argv[0], time.monotonic() + _START_SECONDS)
        self._starting[number] = starting
        _forward(self._below.start(number, outside, ears), lambda _: None, starting.answer)
        return starting.answer

    def end(self, spare: Collection[int] = ()) -> Answer[Sequence[int]]:
        """End all processes in it but those with the numbers `spare`, and what they started."""
        spared = [self._pid_file(number).name for number in spare if number in self._running]
        launchers = [n for n, each in self._running.items() if each.launches_ranks]
        unasked = [self._pid_file(number).name for number in launchers if number not in spare]
        ending = _Ending(spare, time.monotonic() + _END_SECONDS)
        self._ending = ending
        files = " ".join(spared), " ".join(unasked)
        asked = self._command(box_scripts.END, str(self._scripts), *files)

        def take(done: Done) -> None:
            # A container that is gone has no processes.
            ending.survivors = [int(pid) for pid in done.output.split() if done.code == 0]
            ending.is_over = True
            self._settle_end()

        _forward(asked, take, ending.answer)
        return ending.answer

    def ended(self, number: int) -> bool:
        """Take that a process has ended; return whether it had found its program."""
        self._running.pop(number, None)
        starting = self._starting.pop(number, None)
        if starting is None or starting.answer.done:
            return True
        if self._missing_file(number).exists():
            starting.answer.fail(self._lacks(starting.program))
            return False
        starting.answer.give(None)
        return True

    def _lacks(self, program: str) -> LaunchError:
        return LaunchError(
            f"there is no program {program!r} in the container: install it in the image "
            f"{self._image}, or in the job's preparation"
        )

    def _settle(self) -> None:
        """Give the answers that what has happened meanwhile is."""
        for number, starting in list(self._starting.items()):
            if starting.answer.done:
                del self._starting[number]
            elif self._pid_file(number).exists():
                starting.answer.give(None)
            elif time.monotonic() > starting.deadline:
                what = f"{starting.program} in the container did not start"
                starting.answer.fail(LaunchError(f"{what} within {_START_SECONDS:.0f} s"))
        self._settle_end()

    def _settle_end(self) -> None:
        """Answer that processes were ended, once all has been heard of them."""
        ending = self._ending
        if ending is None or ending.answer.done:
            return
        is_heard = self._running.keys() <= set(ending.spare)
        if (ending.is_over and is_heard) or time.monotonic() > ending.deadline:
            self._ending = None
            ending.answer.give(ending.survivors)

    def _command(self, script: str, *arguments: str) -> Answer[Done]:
        words = ["sh", "-c", script, "sh", *arguments]
        argv = self._program.execute(self._name, self._user, words)
        return command(self._below, next(self._numbers), argv, self._below.facts.environment)

    def _pid_file(self, number: int) -> Path:
        return self._scripts / f"{number}.pid"

    def _missing_file(self, number: int) -> Path:
        return self._scripts / f"{number}.missing"


class _Starting:
    """A process that is about to run."""

    def __init__(self, program: str, deadline: float) -> None:
        self.answer: Answer[None] = Answer()
        self.program = program
        self.deadline = deadline


class _Ending:
    """The end of processes that is under way."""

    def __init__(self, spare: Collection[int], deadline: float) -> None:
        self.answer: Answer[Sequence[int]] = Answer()
        self.spare = spare
        self.deadline = deadline
        self.is_over = False
        self.survivors: Sequence[int] = ()


class _Ears:
    """Hears a process in a container."""

    def __init__(self, box: Box, number: int, hear: Hear) -> None:
        self._box = box
        self._number = number
        self._hear = hear
        self.output = hear.output
        self.symptom = hear.symptom
        self.halted = hear.halted
        self.measured = hear.measured

    def exited(self, code: int) -> None:
        if self._box.ended(self._number):
            self._hear.exited(code)


def _forward(asked: Answer[S], take: Callable[[S], None], answer: Answer[T]) -> None:
    """Have what was asked for taken; what makes it fail fails the answer."""

    def forward() -> None:
        try:
            done = asked.result()
        except Exception as error:
            answer.fail(error)
        else:
            take(done)

    asked.then(forward)


def _raise(error: Exception) -> Callable[[], None]:
    def call() -> None:
        raise error

    return call


def variables_of(output: bytes) -> Mapping[str, str]:
    """Return the variables that `box_scripts.VARIABLES` prints."""
    entries = output.decode(errors="surrogateescape").split("\0")
    return dict(entry.split("=", 1) for entry in entries if "=" in entry)
