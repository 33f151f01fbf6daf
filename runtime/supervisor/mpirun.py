"""Ranks under Open MPI's mpirun.

mpirun's own forwarding cuts lines anywhere and reports no exit codes. So it starts a small shell
script for each rank, which speaks to the rank's machine through named pipes.
"""

from __future__ import annotations

import shlex
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bai.runtime.node.machine import Facts, Process
from bai.runtime.supervisor.gang import Member
from bai.runtime.toolkits.requirements import MPIRUN


def under_mpirun(
    ranks: Sequence[Member],
    machines: Sequence[Facts],
    local_ranks: Sequence[tuple[int, int]],
    folder: Path,
    logs: tuple[Path, Path],
) -> list[Member]:
    """Return the ranks as mpirun starts them and mpirun itself, with the ranks' scripts written.

    Args:
        ranks: the ranks, in their order. The first one's environment is mpirun's as well, which
            all of them inherit.
        machines: what the machine of each node says of itself.
        local_ranks: (rank on its node, number of ranks on its node) of each.
        folder: where scripts and pipes go.
        logs: stdout and stderr of mpirun itself.

    Raises:
        OSError: the scripts can't be written.
    """
    # Of an earlier run of the attempt.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    first = ranks[0].process
    remote = [
        replace(rank, process=replace(rank.process, pipes=str(folder / str(number))))
        for number, rank in enumerate(ranks)
    ]
    for number, (rank, place) in enumerate(zip(remote, local_ranks, strict=True)):
        own = dict(rank.process.environment.items() - first.environment.items())
        script = folder / f"{number}.sh"
        # Other users shall not read the variables.
        script.touch(mode=0o600)
        script.write_text(_script(rank.process, own, *place))
    ranks_of = Counter(machines[rank.node].address for rank in ranks)
    is_one = len(ranks_of) == 1
    hosts = {"localhost": len(ranks)} if is_one else ranks_of
    argv = [MPIRUN, *(["--allow-run-as-root"] if machines[0].is_root else ())]
    argv += ["--host", ",".join(f"{host}:{count}" for host, count in hosts.items())]
    argv += ["--oversubscribe", "--bind-to", "none"]
    argv += ["-np", str(len(ranks)), "sh", "-c", 'exec sh "$0/$OMPI_COMM_WORLD_RANK.sh"']
    argv += [str(folder)]
    interface = "lo" if is_one else machines[0].interface
    crowded = any(count > _cpus(machines, address) for address, count in ranks_of.items())
    environment = {**_patience(crowded=crowded), **first.environment, **_settings(interface)}
    process = Process(argv, environment, first.directory, launches_ranks=True)
    return [*remote, Member(MPIRUN, 0, process, *logs)]


def _cpus(machines: Sequence[Facts], address: str) -> int:
    return next(machine.cpus for machine in machines if machine.address == address)


def _settings(interface: str) -> dict[str, str]:
    return {
        "OMPI_MCA_btl": "self,vader,tcp",
        "OMPI_MCA_btl_tcp_if_include": interface,
        "OMPI_MCA_oob_tcp_if_include": interface,
        # The gang is ended by its supervisor, which looks for the rank at fault first.
        "OMPI_MCA_orte_abort_on_non_zero_status": "0",
    }


def _patience(*, crowded: bool) -> dict[str, str]:
    """Return what makes ranks that wait leave their core to others, if there are more than cores.

    mpirun decides by the slots of its hosts; it gets as many slots as there are ranks.
    """
    return {"OMPI_MCA_mpi_yield_when_idle": str(int(crowded))}


def _script(rank: Process, environment: dict[str, str], local_rank: int, local_size: int) -> str:
    exports = environment | {
        # Open MPI sees one host; the job shall see its nodes.
        "OMPI_COMM_WORLD_LOCAL_RANK": str(local_rank),
        "OMPI_COMM_WORLD_LOCAL_SIZE": str(local_size),
        "OMPI_COMM_WORLD_NODE_RANK": str(local_rank),
    }
    stdout, stderr, code = (
        shlex.quote(f"{rank.pipes}.{name}") for name in ("stdout", "stderr", "exit")
    )
    # With a trap the shell outlives a SIGTERM to its group, and reports how the rank took it.
    lines = ["trap : TERM", f"exec 3>{code} 4>{stdout} 5>{stderr}"]
    # The shell's own message about a rank's end, `Terminated`, is no output of the rank.
    lines += ["exec >/dev/null 2>&1"]
    if rank.cpus:
        # It stays unbound where there is no taskset.
        cpus = ",".join(map(str, sorted(rank.cpus)))
        lines += [f"taskset -cp {cpus} $$"]
    lines += [f"export {name}={shlex.quote(value)}" for name, value in sorted(exports.items())]
    lines += [f"(cd {shlex.quote(rank.directory)} && exec >&4 2>&5 3>&- 4>&- 5>&- &&"]
    lines += [f"exec {shlex.join(rank.argv)})", "code=$?"]
    return "\n".join([*lines, 'echo "$code" >&3', 'exit "$code"', ""])
