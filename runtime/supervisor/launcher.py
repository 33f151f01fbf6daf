"""From a toolkit's tasks to the members of a gang."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from bai.runtime.errors import LaunchError
from bai.runtime.jobs.paths import AttemptPaths, expand
from bai.runtime.node.cores import cpu_count, shares, usable_cores
from bai.runtime.node.environment import node_id
from bai.runtime.supervisor.gang import Member
from bai.runtime.supervisor.mpirun import mpirun
from bai.runtime.toolkits.task import Launch, Style, Task


def members(
    launch: Launch,
    paths: AttemptPaths,
    environments: Sequence[dict[str, str]],
    ranks: Sequence[dict[str, str]] = (),
    *,
    bind: bool = True,
) -> list[Member]:
    """Return what to start.

    Args:
        launch: the toolkit's tasks.
        paths: the attempt's paths.
        environments: environment of each node.
        ranks: what Horovod's rendezvous adds for each rank.
        bind: whether each task may use its share of the cores only.

    Raises:
        LaunchError: a command line names a secret.
        OSError: mpirun's scripts can't be written.
    """
    threads = {"OMP_NUM_THREADS": _threads(launch)}
    complete = [
        threads
        | environments[task.node]
        | task.environment
        | (ranks[task.rank] if launch.style is Style.HOROVOD else {})
        for task in launch.tasks
    ]
    cpus = _cpus(launch, bind=bind)
    secrets = paths.secrets
    argvs = [_argv(*pair, secrets) for pair in zip(launch.tasks, complete, strict=True)]
    found = [
        Member(
            name=task.name,
            argv=argv,
            environment=environment,
            directory=paths.temp(task.node),
            stdout=_log(paths, "stdout", task),
            stderr=_log(paths, "stderr", task),
            label=str(task.rank) if launch.labelled else "",
            service=task.service,
            cpus=share,
        )
        for task, environment, argv, share in zip(launch.tasks, complete, argvs, cpus, strict=True)
    ]
    return [_mpirun(launch, paths, found)] if launch.style is Style.MPI else found


def interpreter(launch: Launch, environment: Mapping[str, str]) -> str:
    """Return the interpreter of a Python toolkit's script."""
    word = expand(launch.tasks[0].command[0], environment)
    return shutil.which(word, path=environment.get("PATH")) or (
        sys.executable if word == "python" else word
    )


def hosts(launch: Launch) -> dict[str, int]:
    """Return node id -> number of its tasks, in order."""
    counts = Counter(task.node for task in launch.tasks)
    return {node_id(node): count for node, count in sorted(counts.items())}


def named_secret(text: str, secrets: Iterable[str]) -> str | None:
    """Return the first of the secrets that `text` names as `$NAME` or `${NAME}`, or None."""
    names = (name for name in secrets if expand(text, {name: ""}) != expand(text, {name: "x"}))
    return next(names, None)


def shown_secret(name: str) -> str:
    """Return the sentence for a command line that names a secret."""
    return (
        f"the command line names the secret {name}, and every user of the machine can "
        f"read command lines: let the script read {name} from its environment"
    )


def _argv(task: Task, environment: Mapping[str, str], secrets: Collection[str]) -> list[str]:
    if task.bash:
        # The shell expands variables inside its own process.
        return ["bash", "-c", task.command[0]]
    for word in task.command:
        if name := named_secret(word, secrets):
            raise LaunchError(shown_secret(name))
    return [expand(word, environment) for word in task.command]


def _threads(launch: Launch) -> str:
    """Return how many threads a rank may use, so that ranks do not fight for the cores.

    All nodes are this one machine, so what counts is the number of ranks in all.
    """
    return str(max(1, cpu_count() // max(1, len(launch.tasks))))


def _cpus(launch: Launch, *, bind: bool) -> Sequence[frozenset[int] | None]:
    """Return the logical CPUs of each task, None for all of them.

    Only tasks that do the same can have the same share: parameter servers are another matter.
    """
    alike = not any(task.service for task in launch.tasks)
    found = shares(usable_cores(), len(launch.tasks)) if bind and alike else None
    return found or [None] * len(launch.tasks)


def _mpirun(launch: Launch, paths: AttemptPaths, ranks: Sequence[Member]) -> Member:
    per_node = Counter(task.node for task in launch.tasks)
    local_ranks = [(task.local_rank, per_node[task.node]) for task in launch.tasks]
    logs = (paths.stdouterr / "stdout.txt", paths.stdouterr / "stderr.txt")
    return mpirun(ranks, local_ranks, paths.folder / "mpirun", logs)


def _log(paths: AttemptPaths, stream: str, task: Task) -> Path:
    return paths.stdouterr / f"{stream}{task.log_suffix}.txt"
