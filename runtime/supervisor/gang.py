"""The processes of a job, which are started and ended together."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bai.runtime.jobs.logs import LogFile
from bai.runtime.node.machine import Process
from bai.runtime.supervisor.crew import TICK_SECONDS, Crew
from bai.runtime.supervisor.decisions import (
    Complete,
    Decisions,
    EndAll,
    Ended,
    Event,
    Exited,
    Finished,
    Halted,
    LogsBroken,
    NodeLost,
    Outcome,
    Say,
    Started,
    StopAsked,
    Symptom,
    Tick,
)
from bai.runtime.supervisor.metric_files import MetricFiles


@dataclass(frozen=True, slots=True)
class Member:
    """A process to start."""

    name: str
    """The name in messages: `rank 1`, `worker 0`."""
    node: int
    """Index among the job's nodes."""
    process: Process
    stdout: Path
    stderr: Path
    service: bool = False
    """Whether the gang succeeds without waiting for its end."""


class Gang:
    """Runs members until all have succeeded or one fails; then nothing of them is left."""

    def __init__(self, crew: Crew, say: Callable[[Say], None], spare: Collection[int] = ()) -> None:
        """Begin with no members.

        Args:
            crew: the machines.
            say: takes what the user shall know.
            spare: numbers of processes that live on when the gang ends.
        """
        self._crew = crew
        self._say = say
        self._spare = spare
        self._decisions = Decisions(max(machine.silence for machine in crew.each))
        self._outcome: Outcome | None = None

    def run(self, members: Sequence[Member], stop: Callable[[], str | None]) -> Outcome:
        """Start members, and wait for the end.

        Args:
            members: what to start.
            stop: asked now and then; returns a reason to end the gang, or None.

        Raises:
            LaunchError: a program is missing or can't be run; the gang has been ended.
            NodeLostError: a node was lost while they were started; the gang has been ended.
            OSError: a log can't be written; the gang has been ended.
        """
        try:
            self._start([member for member in members if member.process.pipes])
            self._start([member for member in members if not member.process.pipes])
        except BaseException:
            self._crew.end(self._spare)
            raise
        self.handle(Complete())
        asked = 0.0
        while self._outcome is None:
            self._crew.streams.step(TICK_SECONDS)
            if self._crew.streams.broken:
                self.handle(LogsBroken())
            elif lost := self._crew.lost:
                self.handle(NodeLost(lost.facts.host, str(lost.lost)))
            elif time.monotonic() - asked > TICK_SECONDS:
                asked = time.monotonic()
                reason = stop()
                self.handle(StopAsked(reason) if reason else Tick())
        if broken := self._crew.streams.broken:
            raise broken
        return self._outcome

    def handle(self, event: Event) -> None:
        """Take an event, and do what follows."""
        for instruction in self._decisions.handle(event, time.monotonic()):
            match instruction:
                case Say():
                    self._say(instruction)
                case EndAll():
                    self.handle(Ended(self._crew.end(self._spare)))
                case Finished(outcome):
                    self._outcome = outcome

    def _start(self, members: Sequence[Member]) -> None:
        crew, answers = self._crew, []
        for member in members:
            # Before the process, so that nothing runs when a log can't be made.
            logs = crew.logs.log(member.stdout), crew.logs.log(member.stderr)
            awaited = not member.service and not member.process.pipes
            self.handle(Started(member.name, awaited))
            hear = _Ears(self, member, logs, crew.metrics)
            machine = crew.machines[member.node]
            answer = machine.start(next(crew.numbers), member.process, hear)
            answers.append(answer)
            if answer.done:
                answer.result()
        crew.gather(answers)


class _Ears:
    """Hears a member."""

    def __init__(
        self,
        gang: Gang,
        member: Member,
        logs: tuple[LogFile, LogFile],
        metrics: MetricFiles | None,
    ) -> None:
        self._gang = gang
        self._name = member.name
        self._rank = member.process.rank
        self._stdout, self._stderr = logs
        self._metrics = metrics

    def output(self, stream: str, data: bytes) -> None:
        (self._stdout if stream == "stdout" else self._stderr).write(data)

    def symptom(self, rank: int | None) -> None:
        self._gang.handle(Symptom(self._name, rank))

    def halted(self, *, halted: bool) -> None:
        self._gang.handle(Halted(self._name, halted))

    def measured(self, time: float, values: Mapping[str, float]) -> None:
        if self._metrics and self._rank is not None:
            self._metrics.add_usage(self._rank, time, values)

    def exited(self, code: int) -> None:
        self._gang.handle(Exited(self._name, code))
