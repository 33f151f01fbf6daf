"""From a toolkit's tasks to the members of a gang."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from bai.runtime.errors import LaunchError
from bai.runtime.jobs.paths import AttemptPaths, expand
from bai.runtime.node.cores import shares
from bai.runtime.node.environment import node_id
from bai.runtime.node.machine import Facts, Process
from bai.runtime.supervisor.crew import Crew
from bai.runtime.supervisor.gang import Member
from bai.runtime.supervisor.mpirun import under_mpirun
from bai.runtime.toolkits.mpi import Mpi
from bai.runtime.toolkits.requirements import named_secret, shown_secret
from bai.runtime.toolkits.task import Launch, Style, Task


def members(
    launch: Launch,
    paths: AttemptPaths,
    crew: Crew,
    environments: Sequence[dict[str, str]],
    ranks: Sequence[dict[str, str]] = (),
    *,
    mpi: Mpi | None = None,
    bind: bool = True,
) -> list[Member]:
    """Return what to start.

    Args:
        launch: the toolkit's tasks.
        paths: the attempt's paths.
        crew: the machines.
        environments: environment of each node.
        ranks: what Horovod's rendezvous adds for each rank.
        mpi: the MPI whose mpirun starts the tasks, where it does.
        bind: whether each task may use its share of the cores only.

    Raises:
        LaunchError: a command line names a secret.
        OSError: mpirun's scripts can't be written.
    """
    threads = _threads(launch, crew)
    complete = [
        threads[task.node]
        | environments[task.node]
        | task.environment
        | (
            ranks[task.rank] | _interface(crew.facts[task.node])
            if launch.style is Style.HOROVOD
            else {}
        )
        for task in launch.tasks
    ]
    cpus = _cpus(launch, crew, bind=bind)
    secrets = paths.secrets
    argvs = [_argv(*pair, secrets) for pair in zip(launch.tasks, complete, strict=True)]
    found = [
        Member(
            name=task.name,
            node=task.node,
            process=Process(
                argv=argv,
                environment=environment,
                directory=paths.directory(task.node),
                label=str(task.rank) if launch.labelled else "",
                cpus=share,
                rank=task.rank,
            ),
            stdout=_log(paths, "stdout", task),
            stderr=_log(paths, "stderr", task),
            service=task.service,
        )
        for task, environment, argv, share in zip(launch.tasks, complete, argvs, cpus, strict=True)
    ]
    return _under_mpirun(mpi, launch, paths, crew, found) if mpi else found


def interpreter(launch: Launch, environment: Mapping[str, str], crew: Crew) -> str:
    """Return the interpreter of a Python toolkit's script, as the first node finds it."""
    word = expand(launch.tasks[0].command[0], environment)
    try:
        (found,) = crew.gather([crew.machines[0].find(word, "/", environment.get("PATH"))])
    except LaunchError:
        return word
    return found


def hosts(launch: Launch) -> dict[str, int]:
    """Return node id -> number of its tasks, in order."""
    counts = Counter(task.node for task in launch.tasks)
    return {node_id(node): count for node, count in sorted(counts.items())}


def _argv(task: Task, environment: Mapping[str, str], secrets: Collection[str]) -> list[str]:
    if task.bash:
        # The shell expands variables inside its own process.
        return ["bash", "-c", task.command[0]]
    for word in task.command:
        if name := named_secret(word, secrets):
            raise LaunchError(shown_secret(name))
    return [expand(word, environment) for word in task.command]


def _threads(launch: Launch, crew: Crew) -> list[dict[str, str]]:
    """Return how many threads each rank of a node may use, so that ranks do not fight for cores.

    What counts are all ranks of a machine, which may be several nodes.
    """
    ranks = Counter(id(crew.carriers[task.node]) for task in launch.tasks)
    return [
        {"OMP_NUM_THREADS": str(max(1, machine.facts.cpus // max(1, ranks[id(machine)])))}
        for machine in crew.carriers
    ]


def _cpus(launch: Launch, crew: Crew, *, bind: bool) -> list[frozenset[int] | None]:
    """Return the logical CPUs of each task, None for all of them.

    Only tasks that do the same can have the same share: parameter servers are another matter.
    """
    found: list[frozenset[int] | None] = [None] * len(launch.tasks)
    if not bind or any(task.service for task in launch.tasks):
        return found
    for machine in crew.each_carrier:
        own = [i for i, task in enumerate(launch.tasks) if crew.carriers[task.node] is machine]
        for index, share in zip(own, shares(machine.facts.cores, len(own)) or (), strict=False):
            found[index] = share
    return found


def _interface(facts: Facts) -> dict[str, str]:
    """Return the variables of Horovod that name the network interface of a node."""
    return {"HOROVOD_GLOO_IFACE": facts.interface, "NCCL_SOCKET_IFNAME": facts.interface}


def _under_mpirun(
    mpi: Mpi, launch: Launch, paths: AttemptPaths, crew: Crew, ranks: Sequence[Member]
) -> list[Member]:
    per_node = Counter(task.node for task in launch.tasks)
    local_ranks = [(task.local_rank, per_node[task.node]) for task in launch.tasks]
    logs = (paths.stdouterr / "stdout.txt", paths.stdouterr / "stderr.txt")
    return under_mpirun(mpi, ranks, crew.facts, local_ranks, paths.scripts / "mpirun", logs)


def _log(paths: AttemptPaths, stream: str, task: Task) -> Path:
    return paths.stdouterr / f"{stream}{task.log_suffix}.txt"
