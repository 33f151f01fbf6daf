"""What implementations of MPI differ in: the command line of mpirun, and the variables of ranks.

Open MPI: `man mpirun`, and https://docs.open-mpi.org. Intel MPI, whose mpirun is a Hydra: the
developer reference of the Intel MPI Library, `mpirun -help` and `impi_info`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from bai.runtime.errors import LaunchError
from bai.runtime.toolkits.requirements import MPIRUN, MPIRUN_PACKAGE


@dataclass(frozen=True, slots=True)
class Machines:
    """Where mpirun starts ranks."""

    ranks: Mapping[str, int]
    """Address of a machine -> number of its ranks; not empty."""
    interface: str
    """The network interface with the first address."""
    is_root: bool
    """Whether mpirun runs as root."""
    is_crowded: bool
    """Whether a machine has more ranks than cores."""

    @property
    def count(self) -> int:
        """Number of all ranks."""
        return sum(self.ranks.values())

    @property
    def is_one(self) -> bool:
        """Whether all ranks run where mpirun does."""
        return len(self.ranks) == 1


class Mpi(Protocol):
    """An implementation of MPI."""

    rank_variable: str
    """The variable in which a rank finds its number."""

    def command(self, machines: Machines) -> list[str]:
        """Return mpirun's command line, to be followed by the program and its arguments."""

    def defaults(self, machines: Machines) -> dict[str, str]:
        """Return variables for mpirun that a job's own take the place of."""

    def settings(self, machines: Machines) -> dict[str, str]:
        """Return variables for mpirun that take the place of a job's own."""

    def place(self, local_rank: int, local_size: int) -> dict[str, str]:
        """Return what a rank is told of its node, which is one of several on a machine."""


class OpenMpi:
    """Open MPI, since 1.10."""

    rank_variable = "OMPI_COMM_WORLD_RANK"

    def command(self, machines: Machines) -> list[str]:
        """Return a line with a slot for each rank, bound to nothing: each binds itself."""
        hosts = {"localhost": machines.count} if machines.is_one else machines.ranks
        slots = ",".join(f"{host}:{count}" for host, count in hosts.items())
        root = ["--allow-run-as-root"] if machines.is_root else []
        options = ["--host", slots, "--oversubscribe", "--bind-to", "none"]
        return [MPIRUN, *root, *options, "-np", str(machines.count)]

    def defaults(self, machines: Machines) -> dict[str, str]:
        """Return the transports, and whether ranks that wait leave their core to others.

        mpirun decides that by the slots of its hosts; it gets as many slots as there are ranks.
        """
        return {
            "OMPI_MCA_btl": "self,vader,tcp",
            "OMPI_MCA_btl_tcp_if_include": "lo" if machines.is_one else machines.interface,
            "OMPI_MCA_mpi_yield_when_idle": str(int(machines.is_crowded)),
        }

    def settings(self, machines: Machines) -> dict[str, str]:
        """Return how mpirun reaches machines, and that a rank's failure ends no other one."""
        return {
            "OMPI_MCA_oob_tcp_if_include": "lo" if machines.is_one else machines.interface,
            # The gang is ended by its supervisor, which looks for the rank at fault first.
            "OMPI_MCA_orte_abort_on_non_zero_status": "0",
        }

    def place(self, local_rank: int, local_size: int) -> dict[str, str]:
        """Return the variables that Open MPI itself sets for the machine."""
        return {
            "OMPI_COMM_WORLD_LOCAL_RANK": str(local_rank),
            "OMPI_COMM_WORLD_LOCAL_SIZE": str(local_size),
            "OMPI_COMM_WORLD_NODE_RANK": str(local_rank),
        }


_SIGTERM: Final = "15"


class IntelMpi:
    """Intel MPI, since 2019. Its fabrics are the job's own choice (I_MPI_FABRICS, FI_PROVIDER)."""

    rank_variable = "PMI_RANK"

    def command(self, machines: Machines) -> list[str]:
        """Return a line that needs no ssh where all ranks run here, in no batch system either."""
        if machines.is_one:
            hosts = ["-launcher", "fork", "-hosts", "localhost"]
        else:
            slots = ",".join(f"{host}:{count}" for host, count in machines.ranks.items())
            hosts = ["-hosts", slots, "-iface", machines.interface]
        return [MPIRUN, *hosts, "-n", str(machines.count)]

    def defaults(self, machines: Machines) -> dict[str, str]:
        """Return that ranks bind themselves, and that they yield where they share cores."""
        found = {"I_MPI_PIN": "0"}
        return found | ({"I_MPI_THREAD_YIELD": "2"} if machines.is_crowded else {})

    def settings(self, machines: Machines) -> dict[str, str]:  # noqa: ARG002 - on any
        """Return that mpirun ends ranks by SIGTERM: what that ends is not taken for the culprit."""
        return {"I_MPI_JOB_ABORT_SIGNAL": _SIGTERM}

    def place(self, local_rank: int, local_size: int) -> dict[str, str]:
        """Return the variables that Hydra itself sets for the machine."""
        return {"MPI_LOCALRANKID": str(local_rank), "MPI_LOCALNRANKS": str(local_size)}


_NAMES: Final[Mapping[str, Mpi]] = {"Open MPI": OpenMpi(), "Intel(R) MPI": IntelMpi()}
"""What `mpirun --version` says of itself -> the implementation."""


def implementation(version: str) -> Mpi:
    """Return the implementation of MPI whose mpirun says this of itself.

    Args:
        version: what `mpirun --version` prints.

    Raises:
        LaunchError: it is another one.
    """
    first = version.strip().partition("\n")[0]
    for name, found in _NAMES.items():
        if name in first:
            return found
    raise LaunchError(
        f"the {MPIRUN} of the job is neither Open MPI's nor Intel MPI's: of its version it says "
        f"{first or 'nothing'!r}; install Open MPI (apt install {MPIRUN_PACKAGE}) or Intel MPI "
        f"(pip install impi-rt), or correct PATH in the job's `environment`"
    )
