"""The environment variables that Batch AI sets, and what they hold.

Source: the descriptions of the 2018-05-01 API, and the recipes that were published with it.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Variable(NamedTuple):
    """A variable of the service."""

    description: str
    toolkits: tuple[str, ...] = ()
    """The toolkits, by their names in a spec, whose processes have it; empty for all."""
    in_setup_task: bool = False
    """Whether a cluster's setup task has it too."""


INPUT: Final = "AZ_BATCHAI_INPUT_"
OUTPUT: Final = "AZ_BATCHAI_OUTPUT_"
MOUNT_ROOT: Final = "AZ_BATCHAI_MOUNT_ROOT"
JOB_MOUNT_ROOT: Final = "AZ_BATCHAI_JOB_MOUNT_ROOT"

VARIABLES: Final = {
    JOB_MOUNT_ROOT: Variable("Directory below which the job's own mounts are."),
    MOUNT_ROOT: Variable("Directory below which the cluster's mounts are.", in_setup_task=True),
    "AZ_BATCHAI_JOB_TEMP": Variable("Directory of the job on the node's own disk."),
    "AZ_BATCHAI_JOB_TEMP_DIR": Variable(
        "Directory that holds the job directories of the node, emptied when another job starts."
    ),
    "AZ_BATCHAI_SHARED_JOB_TEMP": Variable("Directory of the job that all its nodes share."),
    "AZ_BATCHAI_STDOUTERR_DIR": Variable("Directory of the job's logs."),
    "AZ_BATCHAI_MPI_HOST_FILE": Variable("Path of a host file for Open MPI with the job's nodes."),
    "AZ_BATCH_HOST_LIST": Variable("The job's nodes, divided by commas, for Intel MPI."),
    "AZ_BATCHAI_NUM_GPUS": Variable("Number of GPUs of the node."),
    "AZ_BATCHAI_TASK_INDEX": Variable(
        "Index of the process among those of its role, from 0.",
        ("tensorFlow", "caffe2", "pyTorch"),
    ),
    "AZ_BATCHAI_PS_HOSTS": Variable(
        "Addresses of the parameter servers, HOST:PORT divided by commas.", ("tensorFlow",)
    ),
    "AZ_BATCHAI_WORKER_HOSTS": Variable(
        "Addresses of the workers, HOST:PORT divided by commas.", ("tensorFlow",)
    ),
    "AZ_BATCHAI_PYTORCH_INIT_METHOD": Variable(
        "Where the processes meet, for init_process_group.", ("pyTorch",)
    ),
    "AZ_BATCHAI_PYTORCH_BACKEND": Variable(
        "Name of the communication backend, for init_process_group.", ("pyTorch",)
    ),
}
"""Name -> what it is. Those of inputs and outputs are named after them."""


def describe(name: str) -> str | None:
    """Return what a variable holds, in one sentence; None if the service sets no such variable."""
    if known := VARIABLES.get(name):
        only = f" Only {' and '.join(known.toolkits)} jobs have it." if known.toolkits else ""
        return known.description + only
    if name.startswith(INPUT) and name != INPUT:
        return f"Path of the job's input {name.removeprefix(INPUT)}."
    if name.startswith(OUTPUT) and name != OUTPUT:
        return f"Directory of the job's output {name.removeprefix(OUTPUT)}."
    return None
