"""The environment variables that Batch AI promises, and the tasks that they are set for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bai.specs.toolkits import IN_SPECS

PREFIX: Final = "AZ_BATCHAI_"
CLUSTER_ROOT: Final = "AZ_BATCHAI_MOUNT_ROOT"
"""Where the cluster's mounts are; the only variable that setup tasks have, too."""
JOB_ROOT: Final = "AZ_BATCHAI_JOB_MOUNT_ROOT"
"""Where the job's own mounts are."""

TEMPORARY: Final = frozenset(
    ("AZ_BATCHAI_JOB_TEMP", "AZ_BATCHAI_JOB_TEMP_DIR", "AZ_BATCHAI_SHARED_JOB_TEMP")
)
"""Directories of a job that go with its nodes."""

BASES: Final = TEMPORARY | {CLUSTER_ROOT, JOB_ROOT}
"""The variables that are set before any path of the job is made: all others may be made of them."""

TOOLKITS: Final = {
    "AZ_BATCHAI_TASK_INDEX": ("tensorFlowSettings", "caffe2Settings", "pyTorchSettings"),
    "AZ_BATCHAI_PS_HOSTS": ("tensorFlowSettings",),
    "AZ_BATCHAI_WORKER_HOSTS": ("tensorFlowSettings",),
    "AZ_BATCHAI_PYTORCH_INIT_METHOD": ("pyTorchSettings",),
    "AZ_BATCHAI_PYTORCH_BACKEND": ("pyTorchSettings",),
}
"""Variables that only the processes of some toolkits have -> the toolkits' settings."""

NAMES: Final = BASES | {
    "AZ_BATCHAI_STDOUTERR_DIR",
    "AZ_BATCHAI_MPI_HOST_FILE",
    "AZ_BATCHAI_NUM_GPUS",
    "AZ_BATCH_HOST_LIST",
    *TOOLKITS,
}
"""All variables but those of inputs and outputs."""

DIRECTORY_LISTS: Final = {"INPUT": "inputDirectories", "OUTPUT": "outputDirectories"}
"""What follows `PREFIX` in a directory's variable -> the list that declares it."""

FORMER: Final = {
    "AZ_BATCHAI_NUM_GPUS_PER_NODE": "since 2018 it is AZ_BATCHAI_NUM_GPUS",
    "AZ_BATCHAI_PREV_OUTPUT": "previous outputs came with retries, which ended with 2017's preview",
}
"""Variable of older API versions -> what has become of it."""

AZURE_BATCH: Final = frozenset(
    "AZ_BATCH_ACCOUNT_NAME AZ_BATCH_ACCOUNT_URL AZ_BATCH_APP_PACKAGE "  # noqa: SIM905
    "AZ_BATCH_AUTHENTICATION_TOKEN AZ_BATCH_CERTIFICATES_DIR AZ_BATCH_IS_CURRENT_NODE_MASTER "
    "AZ_BATCH_JOB_ID AZ_BATCH_JOB_PREP_DIR AZ_BATCH_JOB_PREP_WORKING_DIR AZ_BATCH_MASTER_NODE "
    "AZ_BATCH_NODE_ID AZ_BATCH_NODE_IS_DEDICATED AZ_BATCH_NODE_LIST AZ_BATCH_NODE_MOUNTS_DIR "
    "AZ_BATCH_NODE_ROOT_DIR AZ_BATCH_NODE_SHARED_DIR AZ_BATCH_NODE_STARTUP_DIR AZ_BATCH_POOL_ID "
    "AZ_BATCH_TASK_DIR AZ_BATCH_TASK_ID AZ_BATCH_TASK_SHARED_DIR AZ_BATCH_TASK_WORKING_DIR".split()
)
"""Variables of Azure Batch, on which the service stood: no misspellings, but no promise either."""


_BEGINNINGS: Final = [(f"{PREFIX}{group}_", group) for group in DIRECTORY_LISTS]


def directory(name: str) -> tuple[str, str] | None:
    """Return (`INPUT` or `OUTPUT`, id) of a directory's variable; None for other variables."""
    for beginning, group in _BEGINNINGS:
        if name.startswith(beginning) and len(name) > len(beginning):
            return group, name[len(beginning) :]
    return None


def toolkit_names(settings: Iterable[str], *, in_spec: bool = True) -> str:
    """Return the names of toolkits for a message: `tensorFlow, pyTorch`.

    Args:
        settings: keys of Batch AI's files.
        in_spec: whether to use the names of specs instead of the keys.
    """
    return ", ".join(IN_SPECS[name] if in_spec else name for name in settings)


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
