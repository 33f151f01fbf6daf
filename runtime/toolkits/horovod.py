"""Horovod: one script in every rank."""

from __future__ import annotations

from bai.runtime.toolkits.python_script import script_command
from bai.runtime.toolkits.task import Launch, Nodes, Style, Task, Wire, placement


def launch(settings: Wire, nodes: Nodes, *, mpirun: bool) -> Launch:
    """Return the ranks, to meet by Horovod's own rendezvous or under mpirun."""
    command = script_command(settings)
    count = settings.get("processCount") or nodes.count
    tasks = tuple(
        Task(rank, node, local, command)
        for rank, (node, local) in enumerate(placement(count, nodes.count))
    )
    return Launch(tasks, Style.MPI if mpirun else Style.HOROVOD, labelled=True)
