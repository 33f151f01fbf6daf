"""What a supervisor decides: whom to blame, when to wait, and when to end a gang.

It does no I/O and has no clock: events come in with their times, instructions go out.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

from bai.runtime.supervisor.first_failure import Failure, Failures
from bai.runtime.toolkits.requirements import MPIRUN
from bai.specs.words import counted

CULPRIT_SECONDS = 5.0
"""How long to wait for the failure of the rank at fault, once others failed because of it."""

HALTED_SECONDS = 600.0
"""How long to wait for a process that a signal has stopped, until another one continues it."""

ENDED_SECONDS = 60.0
"""How long others go on after the first process has succeeded, until that is worth a word."""


class Started(NamedTuple):
    """A process was started, or will be by another one."""

    name: str
    awaited: bool = True
    """Whether the gang succeeds only when it has ended."""


class Complete(NamedTuple):
    """All processes are started: from now on the gang may end."""


class Exited(NamedTuple):
    """A process has ended, and all its output is there."""

    name: str
    code: int


class Symptom(NamedTuple):
    """A process names a failed rank, or with None complains of another process."""

    name: str
    rank: int | None = None


class Halted(NamedTuple):
    """A signal has stopped a process, or continued it."""

    name: str
    halted: bool


class NodeLost(NamedTuple):
    """A node can't be reached any more."""

    node: str
    reason: str


class StopAsked(NamedTuple):
    """The run shall end: cancelled, or its time is over."""

    reason: str


class LogsBroken(NamedTuple):
    """A log can't be written."""


class Ended(NamedTuple):
    """All processes have been ended."""

    survivors: tuple[str, ...] = ()
    """What even SIGKILL does not end."""


class Tick(NamedTuple):
    """Time passes."""


Event = (
    Started
    | Complete
    | Exited
    | Symptom
    | Halted
    | NodeLost
    | StopAsked
    | LogsBroken
    | Ended
    | Tick
)


class Outcome(NamedTuple):
    """How a gang ended; it succeeded if nothing is set."""

    failure: Failure | None = None
    """The process that failed first."""
    lost: NodeLost | None = None
    """The node that was lost, if that ended the gang."""
    halted: str | None = None
    """The process that a signal stopped for too long."""
    stopped: str | None = None
    """Why it was stopped."""
    ended: str | None = None
    """Which processes had succeeded before it was stopped, in a sentence."""
    survivors: tuple[str, ...] = ()
    """What even SIGKILL does not end, stuck in the kernel."""


class EndAll(NamedTuple):
    """End all processes of the gang, then report `Ended`."""


class Say(NamedTuple):
    """Report something to the user."""

    message: str
    data: dict[str, Any]


class Finished(NamedTuple):
    """Nothing of the gang is left."""

    outcome: Outcome


Instruction = EndAll | Say | Finished


class Stage(Enum):
    """How far a gang is."""

    RUNNING = "running"
    ENDING = "ending"
    FINISHED = "finished"


class Decisions:
    """The decisions of one gang.

    The first reason to end counts, with one exception: while it is not certain which process
    failed first, a node that is lost is the cause.
    """

    def __init__(self, silence: float = 0.0) -> None:
        """Begin with no process.

        Args:
            silence: seconds after which a node that says nothing is known to be lost.
        """
        self.stage = Stage.RUNNING
        self.log: Final[list[tuple[float, Event]]] = []
        """What happened, and when; ticks only where they decided something."""
        # The silence of a lost node outlasts the complaints of those that lost its ranks.
        self._wait = max(CULPRIT_SECONDS, silence + 1 if silence else 0)
        self._complete = False
        self._awaited: list[str] = []
        self._failures = Failures()
        self._patience = float("inf")
        self._halted: dict[str, float] = {}
        self._ended: list[str] = []
        self._say_ended = float("inf")
        self._outcome = Outcome()

    def handle(self, event: Event, now: float) -> list[Instruction]:
        """Take an event, and return what to do."""
        found = self._handle(event, now)
        if found or not isinstance(event, Tick):
            self.log.append((now, event))
        return found

    def _handle(self, event: Event, now: float) -> list[Instruction]:
        said: list[Instruction] = []
        match event:
            case Started(name, awaited=True):
                self._awaited.append(name)
            case Complete():
                self._complete = True
            case Symptom(name, rank):
                self._failures.symptom(name, rank)
            case Ended(survivors):
                return self._finish(survivors)
            case _ if self.stage is not Stage.RUNNING:
                # What ends now was ended.
                pass
            case Exited(name, code):
                self._exited(name, code, now)
            case Halted(name, halted):
                said = self._say_halted(name, now, halted=halted)
            case NodeLost():
                failure = self._failures.first if self._failures.certain else None
                return self._end(Outcome(failure, None if failure else event))
            case StopAsked(reason):
                # A failure that is there already is the reason.
                if failure := self._failures.first:
                    return self._end(Outcome(failure))
                ended = self._words_on_ended() if self._ended and self._awaited else None
                return self._end(Outcome(stopped=reason, ended=ended))
            case LogsBroken():
                return self._end(Outcome(self._failures.first))
        return said or self._decide(now)

    def _exited(self, name: str, code: int, now: float) -> None:
        self._halted.pop(name, None)
        is_awaited = name in self._awaited
        if is_awaited:
            self._awaited.remove(name)
        if code:
            self._failures.add(name, code)
            self._patience = min(self._patience, now + self._wait)
        elif is_awaited:
            self._failures.add_end(name)
            if not self._ended:
                self._say_ended = now + ENDED_SECONDS
            self._ended.append(name)

    def _say_halted(self, name: str, now: float, *, halted: bool) -> list[Instruction]:
        if not halted:
            self._halted.pop(name, None)
            return [Say(f"{name} goes on", {"name": name})]
        self._halted[name] = now
        minutes = HALTED_SECONDS / 60
        message = f"a signal has stopped {name}: the job waits {minutes:.0f} minutes for it"
        return [Say(message, {"name": name})]

    def _decide(self, now: float) -> list[Instruction]:
        if self.stage is not Stage.RUNNING or not self._complete:
            return []
        failures = self._failures
        if failures.certain or not self._awaited or now > self._patience:
            return self._end(Outcome(failures.first))
        late = [name for name, since in self._halted.items() if now - since > HALTED_SECONDS]
        if late and not failures.first:
            return self._end(Outcome(halted=late[0]))
        if now > self._say_ended:
            # Once is enough: a rank may have work that the others have not.
            self._say_ended = float("inf")
            left = _in_short(self._awaited)
            message = f"{self._words_on_ended()}; the job waits for {left}"
            return [Say(message, {"name": self._ended[0]})]
        return []

    def _words_on_ended(self) -> str:
        return f"{_in_short(self._ended)} ended with exit code 0"

    def _end(self, outcome: Outcome) -> list[Instruction]:
        self.stage, self._outcome = Stage.ENDING, outcome
        return [EndAll()]

    def _finish(self, survivors: tuple[str, ...]) -> list[Instruction]:
        if self.stage is not Stage.ENDING:
            return []
        self.stage = Stage.FINISHED
        found = self._outcome
        if found.failure and found.failure.name == MPIRUN:
            # The output that names a rank may have come meanwhile, from another node.
            found = found._replace(failure=self._failures.first)
        return [Finished(found._replace(survivors=survivors))]


def _in_short(names: Sequence[str]) -> str:
    """Return the first of some names, and how many more there are."""
    more = len(names) - 1
    return f"{names[0]} and {counted(more, 'other')}" if more else names[0]
