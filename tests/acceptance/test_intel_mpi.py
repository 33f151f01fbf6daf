"""Jobs under Intel MPI's mpirun, which the job's PATH leads to."""

import json
import re
import sys

import pytest
from watching import until

PROGRAM = """\
import ctypes, os, sys
from bai.metrics import report
mpi = ctypes.CDLL("libmpi.so.12")
mpi.MPI_Init(None, None)
rank = int(os.environ["PMI_RANK"])
report(step=1, place=float(os.environ["MPI_LOCALRANKID"]))
world = 0x44000000
if rank == 1 and sys.argv[1] == "exit":
    sys.stdout.flush()
    os._exit(5)
if rank == 1 and sys.argv[1] == "abort":
    mpi.MPI_Abort(world, 9)
mpi.MPI_Barrier(world)
print(f"rank {rank} of {os.environ['PMI_SIZE']} in {os.getcwd()}")
mpi.MPI_Finalize()
"""

COUNTS = """\
import os, signal
from pathlib import Path
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
path = Path(__file__).with_name("asked-" + os.environ["PMI_RANK"])
path.touch()
signal.sigwait({signal.SIGTERM})
count = 1
while signal.sigtimedwait({signal.SIGTERM}, 1.0):
    count += 1
path.write_text(str(count))
"""


@pytest.fixture
def run(bai, intel_mpi):
    """Return a function that runs a command in two ranks on two nodes, and returns its output."""
    (bai.folder / "program.py").write_text(PROGRAM)

    def apply(command, *options, code=0, **variables):
        environment = {
            "PATH": f"{intel_mpi}/bin:$PATH",
            "LD_LIBRARY_PATH": f"{intel_mpi}/lib",
            "FI_PROVIDER_PATH": f"{intel_mpi}/lib",
            **variables,
        }
        text = (
            f"    mpi:\n      nodeCount: 2\n      environment: {json.dumps(environment)}\n"
            "      mounts: {code: 'file:.'}\n"
            f"      customMpi: {{command: {json.dumps(command)}}}\n"
        )
        return bai.run("apply", bai.write(text), *options, code=code).stdout

    return apply


def python(how):
    return f"{sys.executable} $AZ_BATCHAI_JOB_MOUNT_ROOT/code/program.py {how}"


def test_intel_mpi_starts_the_ranks_with_the_fabric_of_the_spec(bai, run):
    said = run(
        "IMB-MPI1 -iter 5 -msglog 3:4 PingPong Allreduce",
        I_MPI_FABRICS="ofi",
        FI_PROVIDER="tcp",
        I_MPI_DEBUG="2",
    )
    assert "0 | [0] MPI startup(): libfabric provider: tcp\n" in said
    for name in ("PingPong", "Allreduce"):
        table = said.partition(f"# Benchmarking {name}")[2]
        assert re.match(r".*\n0 \| # #processes = 2", table), said
        sizes = re.findall(r"^0 \| +(\d+) +5 +[\d. ]+$", table, re.MULTILINE)
        assert sizes[:3] == ["0", "8", "16"]


def test_ranks_see_the_nodes_of_the_job(bai, run):
    said = run(python("run"))
    folders = dict(
        re.findall(r"^(\d) \| rank \1 of 2 in .*/nodes/(\d)/jobs/mpi$", said, re.MULTILINE)
    )
    assert folders == {"0": "0", "1": "1"}
    (path,) = bai.folder.glob(".bai/jobs/*/metrics*")
    reports = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted((each["rank"], each["values"]["place"]) for each in reports) == [(0, 0), (1, 0)]


@pytest.mark.parametrize(("how", "exit_code"), [("exit", 5), ("abort", 9)])
def test_the_rank_that_fails_is_named(run, how, exit_code):
    said = run(python(how), code=1)
    assert f"rank 1 failed first with exit code {exit_code}\n" in said


def test_ranks_of_a_cancelled_job_are_asked_to_end_once(bai, run):
    (bai.folder / "counts.py").write_text(COUNTS)
    counts = [bai.folder / f"asked-{rank}" for rank in (0, 1)]
    run(f"{sys.executable} $AZ_BATCHAI_JOB_MOUNT_ROOT/code/counts.py", "--detach")
    until(lambda: all(path.exists() for path in counts), "both ranks")
    bai.run("cancel", "mpi")
    bai.run("wait", "mpi", code=1)
    assert [path.read_text() for path in counts] == ["1", "1"]


def test_an_mpirun_of_neither_is_refused_when_the_job_starts(bai, run):
    own = bai.folder / "bin"
    own.mkdir()
    (own / "mpirun").write_text("#!/bin/sh\necho 'mpirun of my own 1.0'\n")
    (own / "mpirun").chmod(0o755)
    said = run("hostname", code=1, PATH=f"{own}:$PATH")
    assert "JobLaunchFailed: the mpirun of the job is neither Open MPI's nor Intel MPI's" in said
    assert "'mpirun of my own 1.0'" in said
