"""The interface between the embedded provider and what runs the setup tasks of new nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from bai.runtime.jobs.setup_records import PreparingNode
    from bai.runtime.jobs.submitted import Submitted
    from bai.runtime.scheduling.preparation import TaskReport


class SetupTasks(Protocol):
    """Runs the setup task of a cluster once for each of its new nodes."""

    @property
    def runs(self) -> bool:
        """Whether setup tasks run here. If not, new nodes are ready at once."""

    @property
    def place(self) -> str:
        """Where one runs, and as which user, for messages: `on this machine, as ada`."""

    def accept(self, cluster_uuid: str, submitted: Submitted) -> None:
        """Keep what a cluster's setup task got from the process that puts the cluster.

        It takes the place of what was kept before; nodes that are prepared later get it.

        Raises:
            OSError: it can't be written.
        """

    def has_accepted(self, cluster_uuid: str) -> bool:
        """Return whether there is something that `accept` kept."""

    def forget(self, cluster_uuid: str) -> None:
        """Remove what `accept` kept, if it is there: the cluster goes."""

    def launch(self, node: PreparingNode, cluster: Mapping[str, Any]) -> None:
        """Start the newest run of a node's setup task, and return.

        Args:
            node: the node.
            cluster: the wire form of its cluster.

        Raises:
            LaunchError: it can't be started.
        """

    def revoke(self, node: PreparingNode) -> bool:
        """Make sure that the newest run never starts; False if a process has claimed it.

        Raises:
            OSError: that can't be written.
        """

    def observe(self, nodes: Iterable[PreparingNode]) -> Mapping[str, TaskReport]:
        """Return the uuid of each node -> report on the newest run of its setup task.

        What a killed process left running is ended first.
        """

    def kept(self) -> Collection[str]:
        """Return the uuids of nodes whose setup tasks may run, or left something here."""

    def remove(self, uuid: str) -> bool:
        """End a node's setup task, if it runs, and remove what is kept of it; may be repeated.

        Returns:
            Whether it is gone. A task that runs is asked to end, which takes a moment.
        """
