"""How many processes a toolkit starts."""

from __future__ import annotations

from bai.specs.models.toolkits import Processes


def explicit_count(toolkit: Processes, node_count: int) -> tuple[int, str] | None:
    """Return (processCount, the key it came from); None for the service's default.

    The default, one process on each node, is not written out: the published files leave it out.
    """
    if toolkit.process_count is not None:
        return toolkit.process_count, "processCount"
    if toolkit.processes_per_node is not None:
        return toolkit.processes_per_node * node_count, "processesPerNode"
    return None
