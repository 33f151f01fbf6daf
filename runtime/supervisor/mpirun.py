"""Ranks under Open MPI's mpirun, on one machine.

mpirun's own forwarding cuts lines anywhere and reports no exit codes. So it starts a small shell
script for each rank, which speaks to the supervisor through named pipes.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from bai.runtime.node.cores import cpu_count
from bai.runtime.supervisor.gang import Member, RemoteRank

PROGRAM = "mpirun"
PACKAGE = "openmpi-bin"
"""The package of Debian and Ubuntu that has it."""

_SETTINGS = {
    # Only one host: loopback is the one interface that is always there.
    "OMPI_MCA_btl": "self,vader,tcp",
    "OMPI_MCA_btl_tcp_if_include": "lo",
    "OMPI_MCA_oob_tcp_if_include": "lo",
    # The gang is ended by its supervisor, which looks for the rank at fault first.
    "OMPI_MCA_orte_abort_on_non_zero_status": "0",
}


def mpirun(
    ranks: Sequence[Member],
    local_ranks: Sequence[tuple[int, int]],
    folder: Path,
    logs: tuple[Path, Path],
) -> Member:
    """Return mpirun as a member of a gang, with its ranks' scripts written.

    Args:
        ranks: the ranks, in their order. The first one's environment is mpirun's as well, which
            all of them inherit.
        local_ranks: (rank on its node, number of ranks on its node) of each.
        folder: where scripts and pipes go.
        logs: stdout and stderr of mpirun itself.

    Raises:
        OSError: the scripts can't be written.
    """
    # Of an earlier run of the attempt.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    environment = ranks[0].environment
    remote = [RemoteRank(rank, folder / str(number)) for number, rank in enumerate(ranks)]
    for number, (rank, place) in enumerate(zip(remote, local_ranks, strict=True)):
        own = dict(rank.member.environment.items() - environment.items())
        (folder / f"{number}.sh").write_text(_script(rank, own, *place))
    argv = [PROGRAM, *(["--allow-run-as-root"] if os.geteuid() == 0 else ())]
    argv += ["--host", f"localhost:{len(ranks)}", "--oversubscribe", "--bind-to", "none"]
    argv += ["-np", str(len(ranks)), "sh", "-c", 'exec sh "$0/$OMPI_COMM_WORLD_RANK.sh"']
    argv += [str(folder)]
    return Member(
        name=PROGRAM,
        argv=argv,
        environment={**_patience(len(ranks)), **environment, **_SETTINGS},
        directory=ranks[0].directory,
        stdout=logs[0],
        stderr=logs[1],
        ranks=tuple(remote),
    )


def _patience(ranks: int) -> dict[str, str]:
    """Return what makes ranks that wait leave their core to others, if there are more than cores.

    mpirun decides by the slots of its hosts; it gets as many slots as there are ranks.
    """
    return {"OMPI_MCA_mpi_yield_when_idle": str(int(ranks > cpu_count()))}


def _script(
    remote: RemoteRank, environment: dict[str, str], local_rank: int, local_size: int
) -> str:
    exports = environment | {
        # Open MPI sees one host; the job shall see its nodes.
        "OMPI_COMM_WORLD_LOCAL_RANK": str(local_rank),
        "OMPI_COMM_WORLD_LOCAL_SIZE": str(local_size),
        "OMPI_COMM_WORLD_NODE_RANK": str(local_rank),
    }
    rank = remote.member
    stdout, stderr, code = (_quoted(remote.pipe(name)) for name in ("stdout", "stderr", "exit"))
    # With a trap the shell outlives a SIGTERM to its group, and reports how the rank took it.
    lines = ["trap : TERM", f"exec 3>{code} 4>{stdout} 5>{stderr}"]
    # The shell's own message about a rank's end, `Terminated`, is no output of the rank.
    lines += ["exec >/dev/null 2>&1"]
    if rank.cpus:
        # It stays unbound where there is no taskset.
        cpus = ",".join(map(str, sorted(rank.cpus)))
        lines += [f"taskset -cp {cpus} $$"]
    lines += [f"export {name}={shlex.quote(value)}" for name, value in sorted(exports.items())]
    lines += [f"(cd {_quoted(rank.directory)} && exec >&4 2>&5 3>&- 4>&- 5>&- &&"]
    lines += [f"exec {shlex.join(rank.argv)})", "code=$?"]
    return "\n".join([*lines, 'echo "$code" >&3', 'exit "$code"', ""])


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
