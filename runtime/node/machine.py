"""What a gang knows of its nodes: machines, which run its processes, here or far."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from bai.runtime.mounts.driver import Mount
from bai.runtime.node.cores import Core

if TYPE_CHECKING:
    from bai.runtime.node.streams import Streams

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a machine says of itself."""

    host: str
    """Its name, for messages."""
    address: str
    """Where other nodes reach it."""
    interface: str
    """The network interface with that address."""
    cores: Sequence[Core]
    """The cores that a job may use, in the order of the machine."""
    gpus: int
    """Number of NVIDIA GPUs."""
    is_root: bool
    """Whether processes run as root."""
    user: str
    """The ids of the user and the group of processes: `1000:1000`."""
    python: str
    """The interpreter that runs bai there."""
    scripts: str
    """The folder there with scripts of bai's."""
    reports: str
    """The file there in which scripts report metrics; empty if that is the attempt's own."""
    environment: Mapping[str, str] = field(repr=False)
    """What processes inherit there: PATH, HOME and more."""

    @property
    def cpus(self) -> int:
        """Number of logical CPUs that a job may use."""
        return sum(len(core.cpus) for core in self.cores)


@dataclass(frozen=True, slots=True)
class Process:
    """A process to start on a machine."""

    argv: Sequence[str]
    environment: Mapping[str, str] = field(repr=False)
    """All of it."""
    directory: str
    label: str = ""
    """The rank, where lines shall carry it."""
    cpus: frozenset[int] | None = None
    """The logical CPUs that it may use; None for all."""
    pipes: str = ""
    """A path that `.stdout`, `.stderr` and `.exit` are added to: named pipes, where the process
    reports. Something else starts it then."""
    launches_ranks: bool = False
    """Whether it starts ranks, and ends with them: it is not asked to end."""
    rank: int | None = None
    """Its rank, if what it uses of the machine is measured."""
    stands_for: str = ""
    """`NAME=value` in the environment of another process that this one stands for, in a container.

    A signal that stops that one stops this one."""


class Hear(Protocol):
    """What hears of one process. After `exited` comes nothing more."""

    def output(self, stream: str, data: bytes) -> None:
        """Take output of `stdout` or `stderr`: whole lines with labels, if it has a label.

        Raises:
            OSError: it can't be written.
        """

    def symptom(self, rank: int | None) -> None:
        """Take what its error output says: a failed rank, or None for a complaint of another."""

    def halted(self, *, halted: bool) -> None:
        """Take that a signal has stopped the process, or continued it."""

    def measured(self, time: float, values: Mapping[str, float]) -> None:
        """Take what a rank uses of its machine at a time, in seconds since 1970 there."""

    def exited(self, code: int) -> None:
        """Take its exit code, 128 more than the number of a signal; all output is there."""


class Answer(Generic[T]):
    """What a machine answers, now or later."""

    def __init__(self) -> None:
        """Begin without an answer."""
        self.done = False
        """Whether the answer is there."""
        self._value: T | None = None
        self._error: Exception | None = None
        self._calls: list[Callable[[], None]] = []

    @classmethod
    def of(cls, call: Callable[[], T]) -> Answer[T]:
        """Return what a function answers at once, an error too."""
        answer = cls()
        try:
            answer.give(call())
        except Exception as error:
            answer.fail(error)
        return answer

    def give(self, value: T) -> None:
        """Set the answer."""
        self.done, self._value = True, value
        self._tell()

    def fail(self, error: Exception) -> None:
        """Set the error that `result` raises."""
        self.done, self._error = True, error
        self._tell()

    def then(self, call: Callable[[], None]) -> None:
        """Call back as soon as the answer is there."""
        self._calls.append(call)
        if self.done:
            self._tell()

    def result(self) -> T:
        """Return the answer, which must be there.

        Raises:
            LaunchError, OSError: what the machine was asked for failed.
        """
        if self._error:
            raise self._error
        return self._value  # type: ignore[return-value]

    def _tell(self) -> None:
        calls, self._calls = self._calls, []
        for call in calls:
            call()


class Machine(Protocol):
    """A machine that runs processes: one node of a gang, or several where nodes are logical."""

    @property
    def facts(self) -> Facts:
        """What it says of itself."""

    @property
    def lost(self) -> str | None:
        """Why it can't be reached any more; None if it can."""

    @property
    def silence(self) -> float:
        """Seconds after which a machine that says nothing is lost; 0 if it is never lost."""

    def hear_reports(self, take: Callable[[bytes], None]) -> None:
        """Hand on what comes to `Facts.reports`, in whole lines."""

    def ports(self, count: int) -> Answer[Sequence[int]]:
        """Find free ports of its address."""

    def find(self, program: str, directory: str, path: str | None) -> Answer[str]:
        """Find a program as a process in `directory` with this PATH would.

        It fails with a LaunchError if there is none.
        """

    def prepare(
        self, mounts: Sequence[Mount], folders: Sequence[str], empty: Sequence[str]
    ) -> Answer[None]:
        """Make mounts and folders; what `empty` names is emptied first."""

    def unmount(self, mounts: Sequence[Mount]) -> Answer[Sequence[str]]:
        """Take mounts away, as far as that is possible.

        Returns:
            What was written to them and has not arrived, in sentences.
        """

    def start(self, number: int, process: Process, hear: Hear) -> Answer[None]:
        """Start a process, which is called by its number from now on.

        It fails with a LaunchError if its program is missing or can't be run.
        """

    def end(self, spare: Collection[int] = ()) -> Answer[Sequence[int]]:
        """End all processes and what they started, but those with the numbers `spare`.

        Returns:
            Process ids of what even SIGKILL does not end, stuck in the kernel.
        """


class Agents(Protocol):
    """A way of reaching machines."""

    def join(self, streams: Streams, count: int, check: Callable[[], None]) -> Sequence[Machine]:
        """Return a machine for each node; the same one may stand for several.

        Args:
            streams: the event loop that machines are heard in.
            count: the number of nodes.
            check: called now and then; raises an exception to give up.

        Raises:
            LaunchError: one does not join.
        """

    def close(self) -> None:
        """Release the machines; what runs there is ended."""
