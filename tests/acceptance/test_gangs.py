"""Jobs of several processes, one test or more for each toolkit but Horovod."""

import os

import pytest
from watching import job_json

CORES = len(os.sched_getaffinity(0))


def test_pytorch_ranks_are_ended_together_and_the_first_to_fail_is_named(bai):
    (bai.folder / "gang.py").write_text(
        "import os, sys, time\n"
        "rank = int(os.environ['RANK'])\n"
        "print('rank', rank, 'of', os.environ['WORLD_SIZE'], flush=True)\n"
        # Rank 1 fails once rank 0 has printed.
        "gate = os.environ['AZ_BATCHAI_SHARED_JOB_TEMP'] + '/gate'\n"
        "keep = open(gate, 'r' if rank == 1 else 'w')\n"
        "sys.exit(9) if rank == 1 else time.sleep(600)\n"
    )
    text = (
        "    gang:\n      nodeCount: 2\n      mounts: {r: azureFile:r, code: 'file:.'}\n"
        "      preparation: mkfifo $AZ_BATCHAI_SHARED_JOB_TEMP/gate || true\n"
        "      logs: ${mounts.r}\n      pyTorch: {script: '${mounts.code}/gang.py'}\n"
    )
    done = bai.run("apply", bai.write(text), code=1)
    assert "rank 1 failed first" in done.stdout
    assert job_json(bai, "gang")["executionInfo"]["exitCode"] == 9
    assert bai.run("logs", "gang", "--rank", "0").stdout == "rank 0 of 2\n"


def test_a_rank_that_ends_too_early_is_to_blame_for_what_others_miss(bai):
    (bai.folder / "gang.py").write_text(
        "import os, sys\n"
        "gate = os.environ['AZ_BATCHAI_SHARED_JOB_TEMP'] + '/gate'\n"
        "if os.environ['RANK'] == '1':\n"
        "    keep = open(gate, 'w')\n"
        "    sys.exit(print('no data for me', flush=True))\n"
        # Until rank 1 is gone.
        "open(gate).read()\n"
        "sys.exit('RuntimeError: Connection closed by peer')\n"
    )
    text = (
        "    gang:\n      nodeCount: 2\n      mounts: {r: azureFile:r, code: 'file:.'}\n"
        "      preparation: mkfifo $AZ_BATCHAI_SHARED_JOB_TEMP/gate || true\n"
        "      logs: ${mounts.r}\n      pyTorch: {script: '${mounts.code}/gang.py'}\n"
    )
    done = bai.run("apply", bai.write(text), code=1).stdout
    assert (
        "rank 1 ended with exit code 0 while others needed it, and rank 0 failed with exit code 1\n"
        "  logs      bai logs gang --rank 1; its last lines are above\n"
    ) in done
    assert job_json(bai, "gang")["executionInfo"]["exitCode"] == 1


def test_tensorflow_workers_end_the_job_and_the_parameter_server(bai):
    (bai.folder / "role.py").write_text(
        "import json, os, sys, time\n"
        "task = json.loads(os.environ['TF_CONFIG'])['task']\n"
        "print(task['type'], task['index'], *sys.argv[1:], flush=True)\n"
        "print(os.environ['AZ_BATCHAI_JOB_MOUNT_ROOT'], file=sys.stderr, flush=True)\n"
        "gate = os.environ['AZ_BATCHAI_SHARED_JOB_TEMP'] + '/gate'\n"
        "keep = open(gate, 'w' if task['type'] == 'ps' else 'r')\n"
        "time.sleep(600) if task['type'] == 'ps' else None\n"
    )
    text = (
        "    roles:\n      nodeCount: 2\n      mounts: {r: azureFile:r, code: 'file:.'}\n"
        "      preparation: mkfifo $AZ_BATCHAI_SHARED_JOB_TEMP/gate || true\n"
        "      logs: ${mounts.r}\n      tensorFlow:\n        script: ${mounts.code}/role.py\n"
        '        masterArgs: --log "$AZ_BATCHAI_JOB_MOUNT_ROOT"\n        workerArgs: --fast\n'
    )
    bai.run("apply", bai.write(text))
    logs = next(bai.storage.rglob("stdouterr"))
    written = {path.name: path.read_text() for path in logs.glob("stdout-[pw]*.txt")}
    root = (logs / "stderr-wk-0.txt").read_text().strip()
    assert written == {
        "stdout-wk-0.txt": f"master 0 --log {root}\n",
        "stdout-wk-1.txt": "worker 1 --fast\n",
        "stdout-ps-0.txt": "ps 0\n",
    }


def test_mpirun_starts_the_ranks_of_a_custom_mpi_job(bai, needs_mpirun):
    command = (
        "echo hello from $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE in $AZ_BATCHAI_JOB_TEMP; "
        'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then exit 5; fi; sleep 600'
    )
    text = (
        "    mpi:\n      nodeCount: 2\n      mounts: {r: azureFile:r}\n      logs: ${mounts.r}\n"
        f"      customMpi: {{command: '{command}'}}\n"
    )
    bai.run("apply", bai.write(text), code=1)
    info = job_json(bai, "mpi")["executionInfo"]
    assert info["exitCode"] == 5
    assert info["errors"][0]["details"] == [{"name": "failedFirst", "value": "rank 1"}]
    assert "nodes/1/jobs/mpi" in bai.run("logs", "mpi", "--rank", "1").stdout


@pytest.mark.parametrize(("ranks", "expected"), [(1, "0"), (2 * CORES, "1")])
def test_under_mpirun_waiting_ranks_leave_their_core_to_others(bai, needs_mpirun, ranks, expected):
    """Where there are more of them than cores; elsewhere that would only cost time."""
    bai.context(slots=2 * CORES)
    text = (
        "    mpi:\n      nodeCount: 1\n      mounts: {r: azureFile:r}\n      logs: ${mounts.r}\n"
        "      customMpi: {command: printenv OMPI_MCA_mpi_yield_when_idle, "
        f"processesPerNode: {ranks}}}\n"
    )
    bai.run("apply", bai.write(text))
    (path,) = bai.storage.rglob("stdout.txt")
    assert [line[-1] for line in path.read_text().splitlines()] == [expected] * ranks


def test_the_transports_of_open_mpi_are_the_job_s_own_choice(bai, needs_mpirun):
    text = (
        "    mpi:\n      mounts: {r: azureFile:r}\n      logs: ${mounts.r}\n"
        "      environment: {OMPI_MCA_btl: 'self,tcp'}\n"
        "      customMpi: {command: printenv OMPI_MCA_btl}\n"
    )
    bai.run("apply", bai.write(text))
    (path,) = bai.storage.rglob("stdout.txt")
    assert path.read_text() == "self,tcp\n"


def test_mpirun_takes_arguments_that_mean_something_to_itself(bai, needs_mpirun):
    (bai.folder / "words.py").write_text("import sys; print(sys.argv[1:])\n")
    text = (
        "    words:\n      nodeCount: 2\n      mounts: {r: azureFile:r, code: 'file:.'}\n"
        "      logs: ${mounts.r}\n      chainer:\n        script: ${mounts.code}/words.py\n"
        "        args: |-\n          a : -np 3 'b c' \"it's\"\n"
    )
    bai.run("apply", bai.write(text))
    (path,) = bai.storage.rglob("stdout.txt")
    words = ["a", ":", "-np", "3", "b c", "it's"]
    assert sorted(path.read_text().splitlines()) == [f"[{r}]<stdout>: {words}" for r in (0, 1)]
