"""From a toolkit's tasks to the members of a gang."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from bai.runtime.engines.contract import node_id
from bai.runtime.engines.gang import Member
from bai.runtime.engines.layout import Layout, expand
from bai.runtime.errors import LaunchError
from bai.runtime.toolkits.task import Launch, Style, Task

RENDEZVOUS_SECONDS = 60
MPIRUN_PACKAGE = "openmpi-bin"


class Rendezvous:
    """Horovod's rendezvous server, in a process of its own that ends with this one."""

    def __init__(self, python: str, launch: Launch, environment: Mapping[str, str]) -> None:
        """Start the server; `ranks` waits until it serves.

        Args:
            python: the job's interpreter, whose Horovod is used.
            launch: the ranks.
            environment: the job's environment.

        Raises:
            LaunchError: the interpreter can't be run.
        """
        self._python = python
        per_node: dict[int, int] = {}
        for task in launch.tasks:
            per_node[task.node] = per_node.get(task.node, 0) + 1
        hosts = ",".join(f"{node_id(node)}:{slots}" for node, slots in sorted(per_node.items()))
        script = Path(__file__).with_name("rendezvous.py")
        try:
            self._process = subprocess.Popen(
                [python, str(script), hosts, str(len(launch.tasks))],
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise LaunchError(f"can't run {python}: {error.strerror}") from None

    @property
    def pid(self) -> int:
        """Process id of the server."""
        return self._process.pid

    def ranks(self) -> list[dict[str, str]]:
        """Return the environment of each rank.

        Raises:
            LaunchError: the interpreter has no Horovod, or the server does not start.
        """
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], RENDEZVOUS_SECONDS)
        line = self._process.stdout.readline() if ready else b""
        if not line:
            self._process.kill()
            _, errors = self._process.communicate()
            text = errors.decode(errors="replace").strip()
            if "No module named 'horovod'" in text:
                raise LaunchError(
                    f"Horovod is not installed for {self._python}: build it with "
                    f"`{self._python} -m pip install --no-build-isolation horovod`, or choose "
                    "another interpreter (`python` of the toolkit or of the context)"
                )
            last = text.splitlines()[-1] if text else "no answer"
            raise LaunchError(f"Horovod's rendezvous server does not start: {last}")
        ranks: list[dict[str, str]] = json.loads(line)["ranks"]
        return ranks

    def close(self) -> None:
        """Stop the server."""
        self._process.communicate()


def members(
    launch: Launch,
    layout: Layout,
    environments: list[dict[str, str]],
    ranks: list[dict[str, str]] | None,
) -> list[Member]:
    """Return what to start.

    Args:
        launch: the toolkit's tasks.
        layout: the attempt's directories.
        environments: environment of each node.
        ranks: what Horovod's rendezvous adds for each rank.
    """
    if launch.style is Style.MPI:
        return [_mpirun(launch, layout, environments)]
    found = []
    threads = _threads(launch)
    for task in launch.tasks:
        environment = {"OMP_NUM_THREADS": threads} | environments[task.node] | task.environment
        if ranks is not None:
            environment |= ranks[task.rank]
        found.append(
            Member(
                name=f"rank {task.rank}",
                argv=_argv(task, environment),
                environment=environment,
                directory=layout.temp(task.node),
                stdout=layout.stdouterr / f"stdout{task.log_suffix}.txt",
                stderr=layout.stdouterr / f"stderr{task.log_suffix}.txt",
                label=str(task.rank) if launch.labelled else "",
                service=task.service,
            )
        )
    return found


def _argv(task: Task, environment: Mapping[str, str]) -> list[str]:
    if task.bash:
        return ["bash", "-c", task.command[0]]
    return [expand(word, environment) for word in task.command]


def _threads(launch: Launch) -> str:
    """Return how many threads a rank may use, so that ranks do not fight for the cores.

    All nodes are this one machine, so what counts is the number of ranks in all.
    """
    return str(max(1, len(os.sched_getaffinity(0)) // max(1, len(launch.tasks))))


def _mpirun(launch: Launch, layout: Layout, environments: list[dict[str, str]]) -> Member:
    """Return mpirun with one context for each rank, which differ in node and directory."""
    argv = ["mpirun"]
    if os.geteuid() == 0:
        argv.append("--allow-run-as-root")
    count = len(launch.tasks)
    argv += ["--host", f"localhost:{count}", "--oversubscribe", "--bind-to", "none"]
    argv += ["--tag-output"] if launch.labelled else []
    common = {"OMP_NUM_THREADS": _threads(launch)} | environments[0]
    # Only one host: loopback is the one interface that is always there.
    common |= {"OMPI_MCA_btl": "self,vader,tcp", "OMPI_MCA_btl_tcp_if_include": "lo"}
    common |= {"OMPI_MCA_oob_tcp_if_include": "lo"}
    for task in launch.tasks:
        own = environments[task.node] | task.environment
        differing = sorted(name for name in own if environments[0].get(name) != own[name])
        argv += ([":"] if task.rank else []) + ["-np", "1", "--wdir", str(layout.temp(task.node))]
        argv += ["env", *(f"{name}={own[name]}" for name in differing)] if differing else []
        argv += _argv(task, own)
    return Member(
        name="mpirun",
        argv=argv,
        environment=common,
        directory=layout.temp(0),
        stdout=layout.stdouterr / "stdout.txt",
        stderr=layout.stdouterr / "stderr.txt",
        mpi=True,
    )


def interpreter(launch: Launch, environment: Mapping[str, str]) -> str:
    """Return the interpreter of a Python toolkit's script, for Horovod's rendezvous."""
    word = expand(launch.tasks[0].command[0], environment)
    return shutil.which(word, path=environment.get("PATH")) or (
        sys.executable if word == "python" else word
    )
