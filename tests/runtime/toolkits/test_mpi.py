"""What mpirun of each implementation is told, from the machines alone."""

import pytest

from bai.runtime.errors import LaunchError
from bai.runtime.toolkits.mpi import IntelMpi, Machines, OpenMpi, implementation

HERE = Machines({"127.0.0.1": 3}, interface="lo", is_root=False, is_crowded=False)
TWO = Machines({"10.0.0.4": 2, "10.0.0.5": 1}, interface="eth0", is_root=True, is_crowded=True)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/", OpenMpi),
        ("Intel(R) MPI Library for Linux* OS, Version 2021.18.1 Build 20260626\n", IntelMpi),
    ],
)
def test_mpirun_says_whose_it_is(said, expected):
    assert isinstance(implementation(said), expected)


@pytest.mark.parametrize("said", ["", "HYDRA build details:\n    Version: 4.0.2\n"])
def test_another_mpirun_is_refused_with_its_own_words_and_the_way_out(said):
    with pytest.raises(LaunchError, match="nor Intel MPI's: of its version it says") as caught:
        implementation(said)
    assert ("'HYDRA build details:'" if said else "'nothing'") in str(caught.value)
    assert "apt install openmpi-bin" in str(caught.value)


def test_open_mpi_gets_a_slot_for_each_rank():
    assert " ".join(OpenMpi().command(HERE)) == (
        "mpirun --host localhost:3 --oversubscribe --bind-to none -np 3"
    )
    assert " ".join(OpenMpi().command(TWO)) == (
        "mpirun --allow-run-as-root --host 10.0.0.4:2,10.0.0.5:1 "
        "--oversubscribe --bind-to none -np 3"
    )
    for machines, interface in ((HERE, "lo"), (TWO, "eth0")):
        assert OpenMpi().defaults(machines)["OMPI_MCA_btl_tcp_if_include"] == interface
        assert OpenMpi().settings(machines)["OMPI_MCA_oob_tcp_if_include"] == interface


def test_intel_mpi_needs_no_ssh_on_one_machine():
    assert " ".join(IntelMpi().command(HERE)) == "mpirun -launcher fork -hosts localhost -n 3"
    assert " ".join(IntelMpi().command(TWO)) == (
        "mpirun -hosts 10.0.0.4:2,10.0.0.5:1 -iface eth0 -n 3"
    )


@pytest.mark.parametrize(
    ("mpi", "name"),
    [(OpenMpi(), "OMPI_MCA_mpi_yield_when_idle"), (IntelMpi(), "I_MPI_THREAD_YIELD")],
)
def test_ranks_that_share_cores_yield_unless_the_job_says_otherwise(mpi, name):
    assert mpi.defaults(TWO)[name] not in mpi.defaults(HERE).get(name, "")
    assert name not in mpi.settings(TWO)


def test_ranks_are_told_their_place_on_their_node():
    assert IntelMpi().place(1, 4) == {"MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "4"}
    assert set(OpenMpi().place(1, 4).values()) == {"1", "4"}
