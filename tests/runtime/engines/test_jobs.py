"""Jobs of real processes on the local engine, started and watched through `bai`."""

import json
import os
import re
import select
import signal
import sqlite3
import subprocess
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bai.compiler.resources.ids import ResourceId
from bai.runtime.jobs.records import End, ExecutionState
from bai.runtime.provider.store import Store

SECONDS = 60
CORES = len(os.sched_getaffinity(0))


def until(condition, what):
    """Look until a condition holds, for a bounded time, and return its value."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if found := condition():
            return found
        select.select([], [], [], 0.02)
    pytest.fail(f"waited {SECONDS} s for {what}")


def job_json(bai, name):
    return json.loads(bai.run("get", "job", name, "-o", "json").stdout)["properties"]


def gone(pid):
    """Wait for the end of a process."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    ended = bool(poll.poll(SECONDS * 1000))
    os.close(handle)
    return ended


def test_directories_and_environment_are_what_batch_ai_promises(bai):
    text = bai.custom(
        "env",
        "env | grep ^AZ_ | sort; pwd; ls $AZ_BATCHAI_JOB_MOUNT_ROOT; cat $AZ_BATCHAI_MPI_HOST_FILE",
        inputs="{DATA: '${mounts.r}/data'}",
        outputs="{MODEL: {path: '${mounts.r}', suffix: models}}",
        environment="{FLAG: no, WHERE: '$AZ_BATCHAI_OUTPUT_MODEL/x'}",
        preparation="touch prepared; echo $FLAG $WHERE",
    )
    done = bai.run("apply", bai.write(text))
    job = job_json(bai, "env")
    segment = job["jobOutputDirectoryPathSegment"]
    assert re.fullmatch(
        r"0{8}-0{4}-0{4}-0{4}-0{12}/local/workspaces/local/experiments/test/jobs/env/[-0-9a-f]{36}",
        segment,
    )
    share = bai.folder / ".bai/storage/default/files/r" / segment
    logs = share / "stdouterr"
    assert sorted(path.name for path in logs.iterdir()) == [
        "execution.log",
        "stderr-job_prep.txt",
        "stderr.txt",
        "stdout-job_prep.txt",
        "stdout.txt",
    ]
    lines = (logs / "stdout.txt").read_text().splitlines()
    found = dict(line.split("=", 1) for line in lines if line.startswith("AZ_"))
    attempt = bai.folder / ".bai/jobs" / segment.rsplit("/", 1)[1]
    temp = attempt / "nodes/0/jobs"
    assert found == {
        "AZ_BATCHAI_INPUT_DATA": f"{attempt}/mounts/job/r/data",
        "AZ_BATCHAI_JOB_MOUNT_ROOT": f"{attempt}/mounts/job",
        "AZ_BATCHAI_JOB_TEMP": f"{temp}/env",
        "AZ_BATCHAI_JOB_TEMP_DIR": str(temp),
        "AZ_BATCHAI_MOUNT_ROOT": f"{attempt}/mounts/cluster",
        "AZ_BATCHAI_MPI_HOST_FILE": f"{attempt}/hostfile",
        "AZ_BATCHAI_NUM_GPUS": found["AZ_BATCHAI_NUM_GPUS"],
        "AZ_BATCHAI_OUTPUT_MODEL": f"{share}/outputs/models",
        "AZ_BATCHAI_SHARED_JOB_TEMP": f"{attempt}/shared",
        "AZ_BATCHAI_STDOUTERR_DIR": str(logs),
        "AZ_BATCH_HOST_LIST": "127.0.0.1",
    }
    assert lines[len(found) :] == [f"{temp}/env", "r", "127.0.0.1 slots=1 # node-0"]
    assert (temp / "env/prepared").exists()
    prepared = (logs / "stdout-job_prep.txt").read_text()
    assert prepared == f"no {share}/outputs/models/x\n"
    assert (share / "outputs/models").is_dir()
    # The volumes are taken away at the end; what is in them stays.
    assert list((attempt / "mounts/job").iterdir()) == []
    assert re.findall("mounting|preparing|running", done.stdout)[:3] == [
        "mounting",
        "preparing",
        "running",
    ]


def test_paths_of_inputs_may_use_inputs_in_any_order(bai):
    inputs = "{A: '${inputs.B}/$$HOME', B: '${inputs.C}/b', C: '${mounts.r}'}"
    text = bai.custom("chain", "env | grep AZ_BATCHAI_INPUT | sort", inputs=inputs)
    done = bai.run("apply", bai.write(text))
    paths = [line.partition("=")[2] for line in done.stdout.splitlines() if "_INPUT_" in line]
    share = paths[2]
    assert share.endswith("/mounts/job/r")
    assert paths == [f"{share}/b/$HOME", f"{share}/b", share]


def test_inputs_in_a_circle_do_not_stop_a_job(bai):
    # The linter reports them as an error, which a comment may suppress.
    inputs = "{A: $AZ_BATCHAI_INPUT_B/a, B: $AZ_BATCHAI_INPUT_A/b, OWN: $AZ_BATCHAI_INPUT_OWN/c}"
    text = bai.custom("circle", "true", inputs=f"{inputs}  # bai: ignore[BAI413]")
    bai.run("apply", bai.write(text))
    assert job_json(bai, "circle")["executionState"] == "succeeded"


def test_a_failing_preparation_fails_the_job_with_its_exit_code(bai):
    text = bai.custom("prep", "echo never", preparation="echo no >&2; exit 3", nodeCount=2)
    done = bai.run("apply", bai.write(text), code=1)
    info = job_json(bai, "prep")["executionInfo"]
    assert info["exitCode"] == 3
    assert info["errors"][0]["code"] == "JobPreparationFailed"
    assert "never" not in done.stdout
    logs = next((bai.folder / ".bai/storage").rglob("stdouterr"))
    assert {path.name for path in logs.iterdir()} >= {
        "execution-node-0.log",
        "stderr-job_prep-node-1.txt",
    }


def test_the_exit_code_of_the_command_is_the_job_s(bai):
    bai.run("apply", bai.write(bai.custom("code", "exit 17")), code=1)
    info = job_json(bai, "code")["executionInfo"]
    assert info["exitCode"] == 17
    [error] = info["errors"]
    assert error["code"] == "JobFailed"
    # Of a single process, no one is the first.
    reported = "Job failed with non-zero exit code: the process failed with exit code 17"
    assert error["message"] == reported
    assert bai.run("wait", "code", code=1).stdout == "job/code failed, exit code 17\n"
    assert "the process failed with exit code 17" in bai.run("describe", "job/code").stdout


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


def test_tensorflow_workers_end_the_job_and_the_parameter_server(bai):
    (bai.folder / "role.py").write_text(
        "import json, os, sys, time\n"
        "task = json.loads(os.environ['TF_CONFIG'])['task']\n"
        "print(task['type'], task['index'], *sys.argv[1:], flush=True)\n"
        "gate = os.environ['AZ_BATCHAI_SHARED_JOB_TEMP'] + '/gate'\n"
        "keep = open(gate, 'w' if task['type'] == 'ps' else 'r')\n"
        "time.sleep(600) if task['type'] == 'ps' else None\n"
    )
    text = (
        "    roles:\n      nodeCount: 2\n      mounts: {r: azureFile:r, code: 'file:.'}\n"
        "      preparation: mkfifo $AZ_BATCHAI_SHARED_JOB_TEMP/gate || true\n"
        "      logs: ${mounts.r}\n      tensorFlow:\n        script: ${mounts.code}/role.py\n"
        "        masterArgs: --log '$AZ_BATCHAI_JOB_MOUNT_ROOT'\n        workerArgs: --fast\n"
    )
    bai.run("apply", bai.write(text))
    logs = next((bai.folder / ".bai/storage").rglob("stdouterr"))
    written = {path.name: path.read_text() for path in logs.glob("stdout-[pw]*.txt")}
    root = next((bai.folder / ".bai/jobs").iterdir()) / "mounts/job"
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
    (path,) = (bai.folder / ".bai/storage").rglob("stdout.txt")
    assert [line[-1] for line in path.read_text().splitlines()] == [expected] * ranks


def test_cancel_ends_the_whole_tree_also_what_detached_itself(bai):
    pids = bai.folder / "pids"
    command = (
        f"setsid sh -c 'echo $$ >> {pids}; sleep 600' & echo $$ >> {pids}; "
        "trap : TERM; while :; do sleep 600; done"
    )
    bai.run("apply", "-d", bai.write(bai.custom("tree", command)))
    until(lambda: pids.exists() and len(pids.read_text().split()) == 2, "both processes")
    bai.run("cancel", "tree")
    assert all(gone(int(pid)) for pid in pids.read_text().split())
    info = job_json(bai, "tree")["executionInfo"]
    assert info["errors"][0]["code"] == "JobTerminated"
    assert "exitCode" not in info


def test_what_a_job_leaves_running_is_ended_with_it(bai):
    pid = bai.folder / "pid"
    bai.run(
        "apply",
        bai.write(bai.custom("left", f"setsid sh -c 'echo $$ > {pid}; sleep 600' & sleep 0.3")),
    )
    assert gone(int(pid.read_text()))


def test_the_time_limit_ends_the_job(bai):
    bai.run("apply", bai.write(bai.custom("slow", "sleep 600", timeLimit="1s")), code=1)
    info = job_json(bai, "slow")["executionInfo"]
    assert info["errors"][0]["code"] == "JobTimedOut"


def newest(state, column):
    """Return what the database says of the newest attempt."""
    database = sqlite3.connect(state / "state.db")
    try:
        query = f"SELECT {column} FROM attempts ORDER BY created DESC LIMIT 1"
        return database.execute(query).fetchone()[0]
    finally:
        database.close()


def supervisor(state):
    return newest(state, "supervisor")


def supervisors_of(state, count):
    """Return the supervisors of a state folder; nothing if there are fewer than `count`."""
    with closing(sqlite3.connect(state / "state.db")) as database:
        sql = "SELECT supervisor FROM attempts WHERE supervisor IS NOT NULL"
        found = [pid for (pid,) in database.execute(sql)]
    return found if len(found) == count else []


def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_killed_supervisor_leaves_no_process_and_a_recorded_failure(bai):
    pid = bai.folder / "pid"
    bai.run("apply", "-d", bai.write(bai.custom("lost", f"echo $$ > {pid}; sleep 600")))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    os.kill(supervisor(bai.folder / ".bai"), signal.SIGKILL)
    bai.run("wait", "lost", code=1)
    assert gone(int(pid.read_text()))
    info = job_json(bai, "lost")["executionInfo"]
    assert info["errors"][0]["code"] == "JobSupervisorLost"


def test_killed_supervisor_and_guardian_are_found_by_the_next_command(bai):
    pid = bai.folder / "pid"
    bai.run("apply", "-d", bai.write(bai.custom("lost", f"echo $$ > {pid}; sleep 600")))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    found = supervisor(bai.folder / ".bai")
    os.kill(parent(found), signal.SIGKILL)
    os.kill(found, signal.SIGKILL)
    assert gone(found)
    assert "failed" in bai.run("get", "jobs").stdout
    assert gone(int(pid.read_text()))


@pytest.mark.parametrize("guarded", [True, False], ids=["supervisor", "guardian too"])
def test_a_queued_job_whose_supervisor_is_killed_gets_another(bai, guarded):
    state, gate = bai.folder / ".bai", bai.folder / "gate"
    os.mkfifo(gate)
    first = bai.custom("first", f"read x < {gate}", nodeCount=2)
    bai.run("apply", "-d", bai.write(first))
    bai.run("wait", "first", "--for", "running")
    bai.run("apply", "-d", bai.write(first + bai.custom("second", "echo done")))
    found = until(lambda: supervisor(state), "the claim")
    if not guarded:
        os.kill(parent(found), signal.SIGKILL)
    os.kill(found, signal.SIGKILL)
    assert gone(found)
    until(
        lambda: bai.run("get", "jobs") and supervisor(state) not in (None, found),
        "another supervisor",
    )
    gate.write_text("go\n")
    bai.run("wait", "second")
    assert bai.run("logs", "second").stdout == "done\n"


def test_a_supervisor_ends_with_a_job_that_is_deleted_while_it_starts(bai):
    """A command may end and delete a job that is claimed in the same moment."""
    first = bai.custom("first", "sleep 600", nodeCount=2)
    bai.run("apply", "-d", bai.write(first))
    bai.run("wait", "first", "--for", "running")
    bai.run("apply", "-d", bai.write(first + bai.custom("second", "true")))
    database = sqlite3.connect(bai.folder / ".bai/state.db")
    query = "SELECT supervisor, uuid, job FROM attempts WHERE job LIKE '%second'"
    until(lambda: database.execute(query).fetchone()[0], "the claim")
    pid, uuid, job = database.execute(query).fetchone()
    database.close()
    store = Store(bai.folder / ".bai")
    store.attempts.finish(uuid, End(ExecutionState.FAILED, None))
    store.delete(ResourceId.parse(job))
    store.close()
    assert gone(pid)


def test_jobs_of_a_cluster_run_by_priority_then_age(bai):
    order = bai.folder / "order"
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    first = bai.custom("first", f"read x < {gate}; echo first >> {order}", nodeCount=2)
    rest = "".join(
        bai.custom(name, f"echo {name} >> {order}", nodeCount=2, priority=priority)
        for name, priority in (("low", "low"), ("second", "normal"), ("high", "high"))
    )
    bai.run("apply", "-d", bai.write(first))
    bai.run("wait", "first", "--for", "running")
    bai.run("apply", "-d", bai.write(first + rest))
    assert job_json(bai, "high")["executionState"] == "queued"
    gate.write_text("go\n")
    for name in ("low", "second", "high"):
        bai.run("wait", name)
    assert order.read_text().split() == ["first", "high", "second", "low"]


def test_secrets_reach_the_job_and_nothing_else(bai):
    (bai.folder / "token").write_text("s3cr3t-of-file\n")
    text = bai.custom(
        "secret",
        'echo "$A-$B" | rev | tr a-z n-za-m',
        secrets=f"{{A: 'env:SOURCE', B: 'file:{bai.folder}/token'}}",
    )
    spec = bai.write(text)
    refused = bai.run("apply", spec, code=2)
    assert "SOURCE is not set" in refused.stderr
    done = bai.run("apply", spec, env={"SOURCE": "s3cr3t-of-env"})
    # Written backwards and rotated, so that the values themselves stand nowhere.
    assert "ryvs-sb-g3ep3f-iar-sb-g3ep3f" in done.stdout
    everything = done.stdout + done.stderr
    for verb in (("get", "jobs", "-o", "json"), ("describe", "job", "secret"), ("diff", spec)):
        everything += bai.run(*verb, env={"SOURCE": "s3cr3t-of-env"}).stdout
    everything += bai.run("compile", spec).stdout
    assert "s3cr3t" not in everything
    kept = [path for path in (bai.folder / ".bai").rglob("*") if path.is_file()]
    assert kept
    assert not any(b"s3cr3t" in path.read_bytes() for path in kept)


@pytest.fixture
def small(tmp_path_factory):
    """A file system with room for 1 MiB."""
    if os.geteuid() != 0:
        pytest.skip("needs root to mount a small file system")
    folder = tmp_path_factory.mktemp("small")
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("can't mount a tmpfs here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_fails_the_job_and_says_so(bai, small):
    bai.context(slots=2, storage=small)
    done = bai.run("apply", bai.write(bai.custom("full", "yes")), code=1)
    assert "No space left on device" in done.stdout
    assert "Free some space" in done.stdout
    assert "JobLogsFailed" in done.stdout


def test_a_full_disk_below_the_state_does_not_hide_the_end(bai, small):
    """The database can't say how the job ended, and says it as soon as there is room."""
    bai.context(slots=2, state=small)
    done = bai.run("apply", bai.write(bai.custom("full", "yes")), code=1)
    assert "JobLogsFailed" in done.stdout
    assert newest(small, "ended") is None
    assert "failed" in bai.run("get", "jobs").stdout
    assert "No space left on device" in bai.run("describe", "job", "full").stdout
    again = bai.run("apply", "experiment.yaml", "--rerun", code=2)
    assert "the disk is full" in again.stderr
    removed = bai.run("delete", "job", "full", "-y", code=2)
    assert "the disk is full" in removed.stderr
    ended = job_json(bai, "full")["executionInfo"]["endTime"]
    found = supervisor(small)
    for log in small.rglob("stdouterr/*.txt"):
        os.truncate(log, 0)
    assert gone(found)
    assert newest(small, "ended")
    assert job_json(bai, "full")["executionInfo"]["endTime"] == ended
    assert "failed" in bai.run("get", "jobs").stdout


def test_what_waits_for_a_job_whose_end_a_full_disk_hides_says_so(bai, small):
    bai.context(slots=2, state=small)
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    spec = bai.write(
        bai.custom("full", f"read x < {gate}; yes") + bai.custom("next", "true"), scale=1
    )
    bai.run("apply", "-d", spec)
    supervisors = until(lambda: supervisors_of(small, 2), "both supervisors")
    found = [*supervisors, *map(parent, supervisors)]
    gate.write_text("go\n")
    bai.run("wait", "full", code=1)
    words = "waits for space on the disk: it is full, and can't take that full ended"
    until(lambda: words in bai.run("describe", "job", "next").stdout, words)
    for log in small.rglob("stdouterr/*.txt"):
        os.truncate(log, 0)
    bai.run("wait", "next")
    assert all(gone(pid) for pid in found)


def test_a_job_can_be_cancelled_on_a_full_disk(bai, small):
    bai.context(slots=2, state=small)
    pid = bai.folder / "pid"
    command = f"echo $$ > {pid}; sleep 600"
    bai.run("apply", "-d", bai.write(bai.custom("long", command)))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    found = supervisor(small)
    with suppress(OSError), (small / "fill").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    bai.run("cancel", "long")
    assert gone(int(pid.read_text()))
    assert "cancelled" in bai.run("get", "jobs").stdout
    (small / "fill").unlink()
    assert gone(found)
    assert "cancelled" in bai.run("get", "jobs").stdout


def test_a_job_outlives_the_command_that_started_it(bai):
    """`apply` is killed while it follows; the job goes on, and another command sees its end."""
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    spec = bai.write(bai.custom("long", f"echo begun; read x < {gate}; echo got $x"))
    with bai.start("apply", spec) as following:
        for line in following.stdout:
            if "begun" in line:
                break
        following.kill()
    gate.write_text("it\n")
    bai.run("wait", "long")
    assert bai.run("logs", "long").stdout == "begun\ngot it\n"


def test_a_process_dies_with_supervisor_and_guardian_before_any_command_looks(bai):
    pid = bai.folder / "pid"
    bai.run("apply", "-d", bai.write(bai.custom("lost", f"echo $$ > {pid}; read x < /dev/zero")))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    found = supervisor(bai.folder / ".bai")
    os.kill(parent(found), signal.SIGKILL)
    os.kill(found, signal.SIGKILL)
    assert gone(int(pid.read_text()))


def test_a_rank_with_much_to_say_at_the_end_is_heard_to_its_end(bai):
    """More than a pipe holds is written on SIGTERM; nobody who does not read gets it all."""
    # The shell's own word for a sleep that was ended too is not what this is about.
    trap = "trap 'seq 100000; echo last; exit' TERM"
    command = f"exec 2>/dev/null; {trap}; echo up; while :; do sleep 0.05; done"
    bai.run("apply", "-d", bai.write(bai.custom("talks", command)))
    until(lambda: "up" in bai.run("logs", "talks").stdout, "the trap")
    bai.run("cancel", "talks")
    assert bai.run("logs", "talks").stdout.splitlines()[-2:] == ["100000", "last"]


def test_output_of_a_single_process_is_kept_byte_by_byte(bai):
    bai.run("apply", bai.write(bai.custom("bytes", r"printf 'a\r\0\377b'")))
    (path,) = (bai.folder / ".bai/storage").rglob("stdout.txt")
    assert path.read_bytes() == b"a\r\0\xffb"


def test_mpirun_takes_arguments_that_mean_something_to_itself(bai, needs_mpirun):
    (bai.folder / "words.py").write_text("import sys; print(sys.argv[1:])\n")
    text = (
        "    words:\n      nodeCount: 2\n      mounts: {r: azureFile:r, code: 'file:.'}\n"
        "      logs: ${mounts.r}\n      chainer:\n        script: ${mounts.code}/words.py\n"
        "        args: |-\n          a : -np 3 'b c' \"it's\"\n"
    )
    bai.run("apply", bai.write(text))
    (path,) = (bai.folder / ".bai/storage").rglob("stdout.txt")
    words = ["a", ":", "-np", "3", "b c", "it's"]
    assert sorted(path.read_text().splitlines()) == [f"[{r}]<stdout>: {words}" for r in (0, 1)]


def test_a_secret_in_a_python_command_line_is_refused(bai):
    (bai.folder / "x.py").write_text("")
    text = (
        "    shown:\n      nodeCount: 1\n      mounts: {r: azureFile:r, code: 'file:.'}\n"
        "      logs: ${mounts.r}\n      secrets: {TOKEN: 'env:SOURCE'}\n"
        "      pyTorch: {script: '${mounts.code}/x.py', args: --token $TOKEN}\n"
    )
    refused = bai.run("apply", bai.write(text), code=2, env={"SOURCE": "s3cr3t"})
    assert "BAI605" in refused.stderr
    assert "s3cr3t" not in refused.stderr + refused.stdout


def test_commands_that_start_the_same_at_once(bai):
    """One of them makes it; for the others it is unchanged."""
    spec = bai.write(bai.custom("once", "true"))
    started = [bai.start("apply", "-d", spec) for _ in range(4)]
    done = [(process.communicate(timeout=SECONDS)[0], process.returncode) for process in started]
    assert [code for _, code in done] == [0] * 4
    assert sum("job/once created" in text for text, _ in done) == 1
    assert sum("job/once unchanged" in text for text, _ in done) == 3
    assert len(list((bai.folder / ".bai/jobs").iterdir())) == 1


def test_a_job_can_not_replace_the_variables_by_which_bai_finds_it(bai):
    """The linter reports them as an error, which a comment may suppress."""
    text = bai.custom(
        "own",
        "echo $BAI_ATTEMPT $BAI_METRICS_FILE",
        environment="{BAI_ATTEMPT: x}  # bai: ignore[BAI309]",
        secrets="{BAI_METRICS_FILE: env:HOME}  # bai: ignore[BAI309]",
    )
    done = bai.run("apply", bai.write(text))
    (attempt,) = (bai.folder / ".bai/jobs").iterdir()
    assert f"{attempt.name} {attempt}/" in done.stdout
