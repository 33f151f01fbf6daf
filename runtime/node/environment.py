"""What Batch AI promises to a job: its variables, directories, host file and execution logs."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bai.runtime.jobs.paths import AttemptPaths, Wire, expand, names_in
from bai.runtime.jobs.submitted import Submitted

MARKER = "BAI_ATTEMPT"
"""The variable that marks all processes of an attempt, also detached ones."""

METRICS = "BAI_METRICS_FILE"
"""The variable in which `bai.metrics` finds its file."""

OTHERS = ("BAI_", "AZ_BATCHAI_", "OMPI_COMM_WORLD_", "PMIX_")
"""Prefixes of variables that belong to another job, one that bai itself may run in."""


def node_id(node: int) -> str:
    """Return the name of a logical node in log files and host lists."""
    return f"node-{node}"


def environments(
    paths: AttemptPaths, submitted: Submitted, python: str | None, nodes: int
) -> list[dict[str, str]]:
    """Return the environment of the job's processes on each node.

    It is that of the process that submitted the job, with the interpreter's folder first in PATH,
    then Batch AI's variables, then the job's own and its secrets, and last those by which bai finds
    the processes and their metrics.

    Args:
        paths: the attempt's paths.
        submitted: what the job got when it was submitted.
        python: the interpreter that `python` shall mean; None for the one that runs bai.
        nodes: number of nodes of the job.
    """
    own = {MARKER: paths.uuid, METRICS: str(paths.metrics)}
    users = {
        name: value for name, value in submitted.environment.items() if not name.startswith(OTHERS)
    }
    return [
        {**_environment(users, paths, node, python, nodes), **submitted.secrets, **own}
        for node in range(nodes)
    ]


def _environment(
    users: Mapping[str, str], paths: AttemptPaths, node: int, python: str | None, nodes: int
) -> dict[str, str]:
    folder = str(Path(python or sys.executable).parent)
    search = users.get("PATH", os.defpath)
    found = {
        **users,
        "PATH": f"{folder}{os.pathsep}{search}" if folder != "." else search,
        "PYTHONUNBUFFERED": users.get("PYTHONUNBUFFERED", "1"),
        **paths.variables(node),
        "AZ_BATCHAI_STDOUTERR_DIR": str(paths.stdouterr),
        "AZ_BATCHAI_MPI_HOST_FILE": str(paths.host_file),
        "AZ_BATCHAI_NUM_GPUS": str(gpus()),
        "AZ_BATCH_HOST_LIST": ",".join(["127.0.0.1"] * nodes),
    }
    properties = paths.properties
    _set_inputs(properties.get("inputDirectories") or (), found)
    for id, path in paths.outputs.items():
        found[f"AZ_BATCHAI_OUTPUT_{id}"] = str(path)
    for entry in properties.get("environmentVariables") or ():
        found[entry["name"]] = expand(entry["value"], found)
    return found


def _set_inputs(entries: Iterable[Wire], environment: dict[str, str]) -> None:
    """Set the variables of inputs, whose paths may use other inputs, before or behind them."""
    texts = {f"AZ_BATCHAI_INPUT_{entry['id']}": entry["path"] for entry in entries}
    missing = {name: names_in(text) & texts.keys() - {name} for name, text in texts.items()}
    while missing:
        # Where inputs use each other in a circle, one of their variables is left as it is written.
        name = min(missing, key=lambda name: len(missing[name]))
        environment[name] = expand(texts[name], environment)
        del missing[name]
        for names in missing.values():
            names.discard(name)


def gpus() -> int:
    """Return the number of NVIDIA GPUs of this machine."""
    return len(list(Path("/dev").glob("nvidia[0-9]*")))


def suffix(node: int, nodes: int) -> str:
    """Return what the names of a node's logs end with, where there are several nodes."""
    return f"-{node_id(node)}" if nodes > 1 else ""


def make_directories(paths: AttemptPaths, slots: Sequence[int]) -> None:
    """Make the directories that a job finds, and the host file.

    Temporary directories are empty, also in a second run; logs and outputs of the first stay.

    Args:
        paths: the attempt's paths.
        slots: number of processes of each node.

    Raises:
        OSError: the disk is full, or a directory can't be written.
    """
    nodes = range(len(slots))
    for folder in [paths.shared_temp, *map(paths.temp_root, nodes)]:
        if folder.exists():
            shutil.rmtree(folder)
    folders = [paths.stdouterr, paths.shared_temp, *paths.outputs.values()]
    for folder in [*folders, *map(paths.temp, nodes)]:
        folder.mkdir(parents=True, exist_ok=True)
    lines = [f"127.0.0.1 slots={count} # {node_id(node)}\n" for node, count in enumerate(slots)]
    paths.host_file.write_text("".join(lines))


class ExecutionLog:
    """The execution log of every node: what was done, and when."""

    def __init__(self, folder: Path, nodes: int) -> None:
        """Log into a folder, which need not exist as long as nothing is logged."""
        self._paths = [folder / f"execution{suffix(node, nodes)}.log" for node in range(nodes)]

    def write(self, message: str) -> None:
        """Append a line with the time; errors of writing are ignored."""
        line = f"{datetime.now(UTC).isoformat(timespec='milliseconds')} {message}\n"
        for path in self._paths:
            with contextlib.suppress(OSError), path.open("a") as file:
                file.write(line)
