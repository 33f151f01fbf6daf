"""The machines of a run, with what is shared by all that runs on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import count
from typing import TypeVar

from bai.runtime.errors import NodeLostError
from bai.runtime.jobs.logs import Logs
from bai.runtime.node.machine import Answer, Facts, Machine
from bai.runtime.node.streams import Streams
from bai.runtime.supervisor.metric_files import MetricFiles

T = TypeVar("T")

TICK_SECONDS = 0.2
"""How often a run checks whether it was asked to end."""


class Crew:
    """A machine for each node of a run."""

    def __init__(
        self,
        machines: Sequence[Machine],
        streams: Streams,
        logs: Logs,
        metrics: MetricFiles | None = None,
        below: Crew | None = None,
    ) -> None:
        """Use machines that joined.

        Args:
            machines: one for each node; the same one may stand for several.
            streams: the event loop that they are heard in.
            logs: where the output of their processes goes.
            metrics: where metrics go; None where nothing reports any.
            below: the crew that they are containers on; None if they are no containers.
        """
        self.machines = machines
        self.streams = streams
        self.logs = logs
        self.numbers: Iterator[int] = below.numbers if below else count()
        """Of processes."""
        self.carriers: Sequence[Machine] = below.machines if below else machines
        """Whose cores and ports each node has; containers on one machine share them."""
        self.each = _each(machines)
        """Every machine once."""
        self.each_carrier = _each(self.carriers)
        """Every carrier once."""
        self.metrics = metrics
        if metrics:
            for machine in self.each:
                machine.hear_reports(metrics.add_reports)

    @property
    def facts(self) -> list[Facts]:
        """What the machine of each node says of itself."""
        return [machine.facts for machine in self.machines]

    @property
    def lost(self) -> Machine | None:
        """A machine that can't be reached any more."""
        return next((machine for machine in self.each if machine.lost), None)

    def check(self) -> None:
        """Do nothing if all machines can be reached.

        Raises:
            NodeLostError: one can't.
        """
        if machine := self.lost:
            raise NodeLostError(machine.facts.host, str(machine.lost))

    def gather(
        self, answers: Iterable[Answer[T]], check: Callable[[], None] | None = None
    ) -> list[T]:
        """Wait for answers, and return what they are.

        Args:
            answers: of machines of the crew.
            check: called now and then; raises an exception to give up.

        Raises:
            LaunchError, OSError: what was asked for failed.
            NodeLostError: a machine was lost meanwhile.
        """
        found = list(answers)
        while not all(answer.done for answer in found):
            if check:
                check()
            self.streams.step(TICK_SECONDS)
        return [answer.result() for answer in found]

    def end(self, spare: Collection[int] = ()) -> tuple[str, ...]:
        """End all processes but those with the numbers `spare`; return what can't be ended."""
        several = len(self.each) > 1
        asked = [(machine, machine.end(spare)) for machine in self.each if not machine.lost]
        found = []
        for machine, answer in asked:
            try:
                (pids,) = self.gather([answer])
            except NodeLostError:
                # Its agent ends everything when it loses us.
                continue
            where = f" on {machine.facts.host}" if several else ""
            found += [f"{pid}{where}" for pid in pids]
        return tuple(found)


def _each(machines: Iterable[Machine]) -> list[Machine]:
    return list({id(machine): machine for machine in machines}.values())
