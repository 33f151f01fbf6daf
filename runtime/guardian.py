"""The processes that run an attempt; started as `guarding.py` says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bai.runtime.guarding import guard
from bai.runtime.jobs.journal import FileJournal
from bai.runtime.jobs.records import End, NodeName, lost
from bai.runtime.jobs.run_spec import RunSpec, read_run_spec
from bai.runtime.jobs.submitted import Submitted, read_submitted, remove_submitted
from bai.runtime.node.environment import MARKER

if TYPE_CHECKING:
    from bai.runtime.node.machine import Agents


def main() -> None:
    """Run an attempt on this machine, once, unless another process does or did."""
    guard_attempt()


def guard_attempt(
    agents: Callable[[RunSpec], Agents] | None = None, nodes: Sequence[NodeName] = ()
) -> None:
    """Run an attempt once, unless another process does or did.

    Args:
        agents: returns how the nodes of a run are reached; None if they are this machine.
        nodes: those that the engine's own queue has chosen; none if bai has allocated them.
    """

    def load(folder: Path, run: int) -> AttemptRun:
        spec, submitted = read_run_spec(folder, run), read_submitted(folder)
        spec = replace(spec, nodes=tuple(nodes) or spec.nodes)
        return AttemptRun(spec, submitted, agents and agents(spec))

    guard(load)


@dataclass(frozen=True, slots=True)
class AttemptRun:
    """One run of an attempt."""

    spec: RunSpec
    submitted: Submitted
    agents: Agents | None

    @property
    def nodes(self) -> Sequence[NodeName]:
        """The nodes that it runs on."""
        return self.spec.nodes

    @property
    def marker(self) -> str:
        """The variable that all processes of the attempt have."""
        return f"{MARKER}={self.spec.uuid}"

    def run(self, journal: FileJournal, wake: Callable[[], None]) -> End:
        """Run it, and return how it ended."""
        from bai.runtime.supervisor.run import run_attempt

        return run_attempt(self.spec, self.submitted, journal, self.agents, wake)

    def lost(self, *, is_clean: bool) -> End:
        """Return the end of a job whose supervisor was killed."""
        return lost(is_clean=is_clean)

    def discard(self, end: End) -> None:
        """Remove the environment and the secrets of a job that has ended."""
        if end.state.ended:
            remove_submitted(Path(self.spec.folder))

    def close(self) -> None:
        """Release the machines."""
        if self.agents:
            self.agents.close()
