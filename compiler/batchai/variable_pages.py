"""Descriptions of Batch AI's environment variables.

The table of the variables is in `bai.compiler.batchai.variables`.
"""

from __future__ import annotations

from typing import Final

from bai.compiler.batchai.variables import (
    CLUSTER_ROOT,
    JOB_ROOT,
    PREFIX,
    TOOLKITS,
    directory,
    toolkit_names,
)

GROUPS: Final = {"inputs": f"{PREFIX}INPUT_", "outputs": f"{PREFIX}OUTPUT_"}
"""What a spec calls a kind of directory -> the beginning of the variables' names."""

DESCRIPTIONS: Final = {
    JOB_ROOT: "Directory below which the job's own mounts are.",
    CLUSTER_ROOT: "Directory below which the cluster's mounts are.",
    "AZ_BATCHAI_JOB_TEMP": "Directory of the job on the node's own disk.",
    "AZ_BATCHAI_JOB_TEMP_DIR": (
        "Directory that holds the job directories of the node, emptied when another job starts."
    ),
    "AZ_BATCHAI_SHARED_JOB_TEMP": "Directory of the job that all its nodes share.",
    "AZ_BATCHAI_STDOUTERR_DIR": "Directory of the job's logs.",
    "AZ_BATCHAI_MPI_HOST_FILE": "Path of a host file for Open MPI with the job's nodes.",
    "AZ_BATCH_HOST_LIST": "The job's nodes, divided by commas, for Intel MPI.",
    "AZ_BATCHAI_NUM_GPUS": "Number of GPUs of the node.",
    "AZ_BATCHAI_TASK_INDEX": "Index of the process among those of its role, from 0.",
    "AZ_BATCHAI_PS_HOSTS": "Addresses of the parameter servers, HOST:PORT divided by commas.",
    "AZ_BATCHAI_WORKER_HOSTS": "Addresses of the workers, HOST:PORT divided by commas.",
    "AZ_BATCHAI_PYTORCH_INIT_METHOD": "Where the processes meet, for init_process_group.",
    "AZ_BATCHAI_PYTORCH_BACKEND": "Name of the communication backend, for init_process_group.",
}
"""Name -> one sentence, the most used first. Inputs and outputs have variables besides."""


def describe(name: str) -> str | None:
    """Return the description of a variable; None if the service sets no such variable."""
    if known := DESCRIPTIONS.get(name):
        toolkits = TOOLKITS.get(name)
        only = f" Only {toolkit_names(toolkits)} jobs have it." if toolkits else ""
        return known + only
    match directory(name):
        case ("INPUT", id):
            return f"Path of the job's input {id}."
        case (_, id):
            return f"Directory of the job's output {id}."
    return None
