"""Which rank is named when several fail."""

import pytest

from bai.runtime.supervisor.first_failure import Failures


def test_the_first_to_fail_is_to_blame():
    failures = Failures()
    assert failures.first is None
    failures.add("rank 1", 3)
    failures.add("rank 0", 1)
    assert failures.certain
    assert str(failures.first) == "rank 1 failed first with exit code 3"


@pytest.mark.parametrize(
    "said",
    [
        b"horovod.common.exceptions.HorovodInternalError: ...",
        b"RuntimeError: Horovod has been shut down. This was caused by ...",
        b"[gloo/transport/tcp/pair.cc:525] Connection closed by peer [127.0.0.1]:4391",
    ],
)
def test_a_rank_that_complains_of_another_is_not_to_blame(said):
    for cut in range(len(said)):
        failures = Failures()
        observe = failures.observer("rank 0")
        observe(b"noise " * 40)
        observe(said[:cut])
        observe(said[cut:])
        failures.add("rank 0", 1)
        assert not failures.certain
        failures.add("rank 1", 9)
        assert failures.certain
        assert failures.first.name == "rank 1"


def test_if_all_complain_the_first_of_them_is_named():
    failures = Failures()
    for rank in ("rank 1", "rank 0"):
        failures.observer(rank)(b"HorovodInternalError")
        failures.add(rank, 1)
    assert not failures.certain
    assert failures.first.name == "rank 1"


def test_a_rank_that_ended_is_to_blame_if_all_failures_are_for_want_of_it():
    failures = Failures()
    failures.observer("rank 0")(b"HorovodInternalError")
    failures.observer("rank 2")(b"HorovodInternalError")
    failures.add("rank 0", 1)
    # It takes the failure of the others for the end of the training.
    failures.add_end("rank 2")
    failures.add_end("rank 1")
    assert not failures.certain
    assert failures.first.culprit == "rank 1"
    gone = "rank 1 ended with exit code 0 while others needed it"
    assert str(failures.first) == f"{gone}, and rank 0 failed with exit code 1"
    failures.add("rank 3", 9)
    assert failures.first.culprit == "rank 3"


def test_a_rank_that_ended_is_not_to_blame_for_what_a_signal_did():
    failures = Failures()
    failures.add_end("rank 1")
    failures.add("rank 0", 128 + 15)
    assert failures.first.culprit == "rank 0"


def test_a_rank_that_its_launcher_ended_is_not_to_blame():
    failures = Failures()
    failures.add("rank 0", 128 + 15)
    assert not failures.certain
    failures.add("rank 1", 128 + 11)
    assert str(failures.first) == "rank 1 failed first with exit code 139 (SIGSEGV)"


@pytest.mark.parametrize(
    "said",
    [
        b"MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD\nwith errorcode 9.",
        b"The first process to do so was:\n\n  Process name: [[2983,1],2]\n  Exit code:    9\n",
        b"=   BAD TERMINATION OF ONE OF YOUR PROCESSES\n=   RANK 2 PID 71 RUNNING AT vm\n",
    ],
)
def test_mpirun_s_failure_is_that_of_the_rank_it_names(said):
    failures = Failures()
    failures.observer("mpirun")(said)
    failures.add("mpirun", 9)
    assert str(failures.first) == "rank 2 failed first with exit code 9"


def test_mpirun_s_failure_is_that_of_a_rank_that_says_that_it_aborts():
    """A rank of Intel MPI says so, and not its mpirun."""
    failures = Failures()
    said = b"Abort(9) on node 2 (rank 1 in comm 0): application called MPI_Abort(comm=0x8, 9)\n"
    failures.observer("rank 2")(said)
    failures.add("rank 0", 128 + 15)
    failures.add("mpirun", 9)
    assert str(failures.first) == "rank 2 failed first with exit code 9"


def test_mpirun_s_failure_waits_for_the_rank_that_aborts():
    """Its output may come later, from another node."""
    failures = Failures()
    failures.add("mpirun", 9)
    assert not failures.certain
    failures.observer("rank 1")(
        b"Abort(9) on node 1 (rank 1 in comm 0): application called MPI_Abort\n"
    )
    assert failures.certain
    assert str(failures.first) == "rank 1 failed first with exit code 9"
