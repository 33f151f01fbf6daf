"""Ranks under mpirun.

mpirun's own forwarding cuts lines anywhere and reports no exit codes. So it starts a small shell
script for each rank, which speaks to the rank's machine through named pipes.
"""

from __future__ import annotations

import shlex
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bai.runtime.node.machine import Facts, Process
from bai.runtime.supervisor.gang import Member
from bai.runtime.toolkits.mpi import Machines, Mpi
from bai.runtime.toolkits.requirements import MPIRUN


def under_mpirun(
    mpi: Mpi,
    ranks: Sequence[Member],
    machines: Sequence[Facts],
    local_ranks: Sequence[tuple[int, int]],
    folder: Path,
    logs: tuple[Path, Path],
) -> list[Member]:
    """Return the ranks as mpirun starts them and mpirun itself, with the ranks' scripts written.

    Args:
        mpi: the implementation that mpirun belongs to.
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
    folder.mkdir(parents=True)
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
        # MPI sees one host; the job shall see its nodes.
        script.write_text(_script(rank.process, own | mpi.place(*place)))
    where = _machines(machines, [machines[rank.node].address for rank in ranks])
    argv = [*mpi.command(where), "sh", "-c", f'exec sh "$0/${mpi.rank_variable}.sh"', str(folder)]
    environment = {**mpi.defaults(where), **first.environment, **mpi.settings(where)}
    process = Process(argv, environment, first.directory, launches_ranks=True)
    return [*remote, Member(MPIRUN, 0, process, *logs)]


def _machines(facts: Sequence[Facts], addresses: Sequence[str]) -> Machines:
    """Return the machines of ranks with these addresses."""
    ranks = Counter(addresses)
    cpus = {machine.address: machine.cpus for machine in facts}
    return Machines(
        ranks,
        interface=facts[0].interface,
        is_root=facts[0].is_root,
        is_crowded=any(count > cpus[address] for address, count in ranks.items()),
    )


def _script(rank: Process, exports: Mapping[str, str]) -> str:
    stdout, stderr, code, pid = (
        shlex.quote(f"{rank.pipes}.{name}") for name in ("stdout", "stderr", "exit", "pid")
    )
    # With a trap the shell outlives a SIGTERM to its group, and reports how the rank took it.
    lines = ["trap : TERM", f"exec 3>{code} 4>{stdout} 5>{stderr}", f"echo $$ >{pid}"]
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
