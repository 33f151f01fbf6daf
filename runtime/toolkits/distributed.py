"""Toolkits whose processes find each other by variables: tensorFlow, pyTorch and caffe2.

TensorFlow's parameter servers: a master, which is worker 0, workers, and servers. PyTorch's own
distributed package, and Caffe2.
"""

from __future__ import annotations

import json
from collections import Counter

from bai.runtime.toolkits.python_script import script_command
from bai.runtime.toolkits.task import Launch, Nodes, Style, Task, Wire, placement

_ROLES = {"wk": "worker", "ps": "parameter server"}


def tensorflow(settings: Wire, nodes: Nodes) -> Launch:
    """Return every task with TF_CONFIG and Batch AI's variables.

    A job of one node that names no counts is one process and not distributed.
    """
    workers = settings.get("workerCount")
    servers = settings.get("parameterServerCount")
    if nodes.count == 1 and not workers and not servers:
        command = script_command(settings, "masterCommandLineArgs")
        return Launch((Task(0, 0, 0, command, log_suffix="-wk-0", role="worker 0"),))
    workers = workers or nodes.count
    servers = 1 if servers is None else servers
    places = placement(workers, nodes.count)
    own = Counter(node for node, _ in places)
    # Servers have the ports behind those of the workers of their node.
    shelves = [divmod(index, nodes.count)[::-1] for index in range(servers)]
    hosts = {
        "worker": [nodes.endpoint(*place) for place in places],
        "ps": [nodes.endpoint(node, own[node] + index) for node, index in shelves],
    }
    tasks = []
    roles = [("wk", index, where) for index, where in enumerate(places)]
    roles += [("ps", index, (node, 0)) for index, (node, _) in enumerate(shelves)]
    for rank, (role, index, (node, local)) in enumerate(roles):
        if role == "ps":
            kind, arguments = "ps", "parameterServerCommandLineArgs"
        elif index == 0:
            kind, arguments = "master", "masterCommandLineArgs"
        else:
            kind, arguments = "worker", "workerCommandLineArgs"
        config = {
            "cluster": {"ps": hosts["ps"], "worker": hosts["worker"]},
            "task": {"type": kind, "index": index},
            "environment": "cloud",
        }
        environment = {
            "TF_CONFIG": json.dumps(config),
            "AZ_BATCHAI_PS_HOSTS": ",".join(hosts["ps"]),
            "AZ_BATCHAI_WORKER_HOSTS": ",".join(hosts["worker"]),
            "AZ_BATCHAI_TASK_INDEX": str(index),
        }
        command = script_command(settings, arguments)
        tasks.append(
            Task(
                rank,
                node,
                local,
                command,
                environment,
                service=role == "ps",
                log_suffix=f"-{role}-{index}",
                role=f"{_ROLES[role]} {index}",
            )
        )
    return Launch(tuple(tasks))


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
            "MASTER_ADDR": nodes.address(0),
            "MASTER_PORT": str(nodes.port(0, 0)),
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
