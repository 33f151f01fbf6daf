"""What Batch AI promises to a job: its variables, directories, host file and execution logs."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bai.runtime.jobs.paths import AttemptPaths, Wire, expand, names_in
from bai.runtime.jobs.setup_paths import SetupPaths
from bai.runtime.jobs.setup_spec import SetupSpec
from bai.runtime.node.machine import Facts

MARKER = "BAI_ATTEMPT"
"""The variable that marks all processes of an attempt, also detached ones."""

NODE_MARKER = "BAI_NODE"
"""The variable that marks all processes of a node's setup task, also detached ones."""

METRICS = "BAI_METRICS_FILE"
"""The variable in which `bai.metrics` finds its file."""

OTHERS = (
    *("BAI_", "AZ_BATCHAI_"),
    *("OMPI_COMM_WORLD_", "PMIX_"),  # of Open MPI
    *("PMI_", "MPI_LOCAL", "HYDRA_", "HYDI_"),  # of Intel MPI
)
"""Prefixes of variables that belong to another job, one that bai itself may run in."""


def node_id(node: int) -> str:
    """Return the name of a logical node in log files and host lists."""
    return f"node-{node}"


def environments(
    paths: AttemptPaths,
    secrets: Mapping[str, str],
    python: str | None,
    machines: Sequence[Facts],
    withheld: Collection[str],
) -> list[dict[str, str]]:
    """Return the environment of the job's processes on each node.

    It is that of the node's machine, with the interpreter's folder first in PATH, then Batch AI's
    variables, then the job's own and its secrets, and last those by which bai finds the processes
    and their metrics.

    Args:
        paths: the attempt's paths.
        secrets: name -> value of the variables that the job's `secrets` name.
        python: the interpreter that `python` shall mean; None for the one that runs bai.
        machines: what the machine of each node says of itself.
        withheld: variables of the machines' environment that are kept from the job.
    """
    hosts = ",".join(machine.address for machine in machines)
    return [
        {
            **_with_job_half(paths, node, hosts, _machine_half(machine, python, withheld)),
            **secrets,
            MARKER: paths.uuid,
            METRICS: machine.reports or str(paths.metrics),
        }
        for node, machine in enumerate(machines)
    ]


def setup_environment(
    spec: SetupSpec,
    paths: SetupPaths,
    secrets: Mapping[str, str],
    machine: Facts,
    withheld: Collection[str],
) -> dict[str, str]:
    """Return the environment of a node's setup task, in the order of that of jobs.

    Args:
        spec: the task.
        paths: its paths.
        secrets: name -> value of the variables that the task's `secrets` name.
        machine: what the machine of the node says of itself.
        withheld: variables of the machine's environment that are kept from the task.
    """
    found = {**_machine_half(machine, spec.python, withheld), **paths.variables}
    _set_variables(spec.task.get("environmentVariables") or (), found)
    return {**found, **secrets, NODE_MARKER: spec.uuid}


def _machine_half(machine: Facts, python: str | None, withheld: Collection[str]) -> dict[str, str]:
    """Return what processes have of the machine that they run on."""
    found = {
        name: value
        for name, value in machine.environment.items()
        if not name.startswith(OTHERS) and name not in withheld
    }
    folder = str(Path(python or machine.python).parent)
    search = found.get("PATH", os.defpath)
    return found | {
        "PATH": f"{folder}{os.pathsep}{search}" if folder != "." else search,
        "PYTHONUNBUFFERED": found.get("PYTHONUNBUFFERED", "1"),
        "AZ_BATCHAI_NUM_GPUS": str(machine.gpus),
    }


def _with_job_half(
    paths: AttemptPaths, node: int, hosts: str, machine: Mapping[str, str]
) -> dict[str, str]:
    """Return the machine half with what the job adds, whose values may use it."""
    found = {
        **machine,
        **paths.variables(node),
        "AZ_BATCHAI_STDOUTERR_DIR": str(paths.stdouterr),
        "AZ_BATCHAI_MPI_HOST_FILE": str(paths.host_file),
        "AZ_BATCH_HOST_LIST": hosts,
    }
    properties = paths.properties
    _set_inputs(properties.get("inputDirectories") or (), found)
    for id, path in paths.outputs.items():
        found[f"AZ_BATCHAI_OUTPUT_{id}"] = str(path)
    _set_variables(properties.get("environmentVariables") or (), found)
    return found


def _set_variables(entries: Iterable[Wire], environment: dict[str, str]) -> None:
    for entry in entries:
        environment[entry["name"]] = expand(entry["value"], environment)


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


def suffix(node: int, nodes: int) -> str:
    """Return what the names of a node's logs end with, where there are several nodes."""
    return f"-{node_id(node)}" if nodes > 1 else ""


def write_host_file(paths: AttemptPaths, machines: Sequence[Facts], slots: Sequence[int]) -> None:
    """Write the host file, a line for each address: Open MPI refuses an address with two counts.

    Args:
        paths: the attempt's paths.
        machines: what the machine of each node says of itself; nodes may share a machine.
        slots: number of processes of each node.

    Raises:
        OSError: it can't be written.
    """
    nodes: dict[str, list[int]] = {}
    for node, machine in enumerate(machines):
        nodes.setdefault(machine.address, []).append(node)
    lines = [
        f"{address} slots={sum(slots[node] for node in found)} # {' '.join(map(node_id, found))}\n"
        for address, found in nodes.items()
    ]
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
