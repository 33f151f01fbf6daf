"""PyTorch's own distributed package, and Caffe2."""

from __future__ import annotations

from bai.runtime.toolkits.python_script import script_command
from bai.runtime.toolkits.task import Launch, Nodes, Style, Task, Wire, placement


def pytorch(settings: Wire, nodes: Nodes) -> Launch:
    """Return the ranks, each with Batch AI's and torch's own variables of the process group.

    With the MPI backend mpirun starts them, since that backend takes its ranks from there.
    """
    command = script_command(settings)
    count = settings.get("processCount") or nodes.count
    backend = (settings.get("communicationBackend") or "gloo").lower()
    tasks = []
    for rank, (node, local) in enumerate(placement(count, nodes.count)):
        environment = {
            "AZ_BATCHAI_TASK_INDEX": str(rank),
            "AZ_BATCHAI_PYTORCH_BACKEND": backend,
            "AZ_BATCHAI_PYTORCH_INIT_METHOD": f"file://{nodes.shared_temp}/pytorch-init",
            "MASTER_ADDR": nodes.address,
            "MASTER_PORT": str(nodes.port(0)),
            "RANK": str(rank),
            "WORLD_SIZE": str(count),
            "LOCAL_RANK": str(local),
        }
        tasks.append(Task(rank, node, local, command, environment, log_suffix=f"-{rank}"))
    style = Style.MPI if backend == "mpi" and count > 1 else Style.ALONE
    return Launch(tuple(tasks), style)


def caffe2(settings: Wire, nodes: Nodes) -> Launch:
    """Return one process for each node, which finds its shard in AZ_BATCHAI_TASK_INDEX."""
    command = script_command(settings)
    return Launch(
        tuple(
            Task(n, n, 0, command, {"AZ_BATCHAI_TASK_INDEX": str(n)}, log_suffix=f"-{n}")
            for n in range(nodes.count)
        )
    )
