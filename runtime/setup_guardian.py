"""The processes that run a node's setup task; started as `guarding.py` says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bai.runtime.errors import StateError
from bai.runtime.guarding import guard
from bai.runtime.jobs.journal import FileJournal
from bai.runtime.jobs.records import End
from bai.runtime.jobs.setup_spec import SetupSpec, read_setup_spec
from bai.runtime.jobs.submitted import Submitted, read_submitted
from bai.runtime.node.environment import NODE_MARKER

if TYPE_CHECKING:
    from bai.runtime.node.machine import Agents


def main() -> None:
    """Run a setup task on this machine, once, unless another process does or did."""
    guard_setup()


def guard_setup(agents: Callable[[SetupSpec], Agents] | None = None) -> None:
    """Run a setup task once, unless another process does or did.

    Args:
        agents: returns how the node is reached; None if it is this machine.
    """

    def load(folder: Path, run: int) -> SetupRun:
        spec = read_setup_spec(folder, run)
        return SetupRun(spec, _submitted(spec), agents and agents(spec))

    guard(load)


def _submitted(spec: SetupSpec) -> Submitted:
    try:
        return read_submitted(Path(spec.submitted))
    except StateError:
        raise StateError(
            f"the environment that cluster {spec.cluster.name} was made in is not kept: "
            "`bai scale` keeps that of the command, for the nodes that come then"
        ) from None


@dataclass(frozen=True, slots=True)
class SetupRun:
    """One run of a node's setup task."""

    spec: SetupSpec
    submitted: Submitted
    agents: Agents | None

    @property
    def nodes(self) -> tuple[int]:
        """The node that it runs on."""
        return (self.spec.node,)

    @property
    def marker(self) -> str:
        """The variable that all processes of the task have."""
        return f"{NODE_MARKER}={self.spec.uuid}"

    def run(self, journal: FileJournal, wake: Callable[[], None]) -> End:  # noqa: ARG002
        """Run it, and return how it ended; it reports nothing to compare."""
        from bai.runtime.supervisor.setup import run_setup

        return run_setup(self.spec, self.submitted, journal, self.agents)

    def lost(self, *, is_clean: bool) -> None:
        """Report no end: the keeper decides whether it runs again."""

    def discard(self, end: End) -> None:
        """Keep everything: other nodes need it."""

    def close(self) -> None:
        """Release the machine."""
        if self.agents:
            self.agents.close()
