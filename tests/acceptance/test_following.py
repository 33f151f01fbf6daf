"""Logs of one rank or stream, waiting, and letting go."""

import os
import re
import signal


def interrupted(process, part):
    """Interrupt a command once a line with `part` came, and return its exit code."""
    while part not in (line := process.stdout.readline()):
        assert line, process.stderr.read()
    process.send_signal(signal.SIGINT)
    process.stdout.read()
    process.stdout.close()
    process.stderr.close()
    return process.wait(60)


def test_logs_of_one_stream_or_rank(bai):
    bai.run("apply", bai.write(bai.custom("job", "echo out; echo err >&2")))
    assert bai.run("logs", "job").stdout == "out\nerr\n"
    assert bai.run("logs", "job", "--stream", "stderr").stdout == "err\n"
    assert bai.run("logs", "job", "--rank", "0", "--stream", "stdout").stdout == "out\n"
    bai.run("apply", bai.write(bai.custom("still", "true")))
    silent = bai.run("logs", "still", "--rank", "0")
    assert (silent.stdout, silent.stderr) == ("", "rank 0 of job/still has written nothing\n")
    assert "did you mean stdout?" in bai.run("logs", "job", "--stream", "stdo", code=2).stderr


def test_the_last_lines_alone_and_what_comes_behind_them(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    command = f"seq 5; echo err >&2; read x < {gate}; echo six"
    bai.run("apply", "-d", bai.write(bai.custom("job", command)))
    with bai.start("logs", "-f", "job") as process:
        while process.stdout.readline() != "err\n":
            pass
        assert bai.run("logs", "job", "--tail", "2").stdout == "5\nerr\n"
        chosen = bai.run("logs", "job", "--tail", "2", "--stream", "stdout").stdout
        assert chosen == "4\n5\n"
        assert bai.run("logs", "job", "--tail", "99").stdout == "1\n2\n3\n4\n5\nerr\n"
        last = bai.start("logs", "-f", "job", "--tail", "1")
        assert last.stdout.readline() == "err\n"
        gate.write_text("go\n")
        assert last.communicate(timeout=60) == ("six\n", "")
        process.communicate(timeout=60)
    nothing = bai.run("logs", "job", "--tail", "0")
    assert (nothing.stdout, nothing.stderr) == ("", "")
    assert bai.run("logs", "-f", "job", "--tail", "1").stdout == "six\n"
    assert "-1 is not in the range" in bai.run("logs", "job", "--tail", "-1", code=2).stderr


TENSORFLOW = """\
    roles:
      nodeCount: 2
      mounts: {r: azureFile:r, code: 'file:.'}
      preparation: mkfifo $AZ_BATCHAI_SHARED_JOB_TEMP/gate || true
      logs: ${mounts.r}
      tensorFlow:
        script: ${mounts.code}/role.py
        masterArgs: "one"
        workerArgs: "two"
        parameterServerArgs: "server"
"""


def test_logs_of_a_tensorflow_process_are_chosen_by_its_name(bai):
    # The workers end no sooner than the server has written.
    (bai.folder / "role.py").write_text(
        "import os, signal, sys\n"
        "print(sys.argv[1], flush=True)\n"
        "gate = os.environ['AZ_BATCHAI_SHARED_JOB_TEMP'] + '/gate'\n"
        "keep = open(gate, 'w' if sys.argv[1] == 'server' else 'r')\n"
        "signal.pause() if sys.argv[1] == 'server' else None\n"
    )
    bai.run("apply", bai.write(TENSORFLOW))
    assert bai.run("logs", "roles", "--rank", "wk-0").stdout == "one\n"
    assert bai.run("logs", "roles", "--rank", "wk-1").stdout == "two\n"
    assert bai.run("logs", "-f", "roles", "--rank", "ps-0").stdout == "server\n"
    silent = bai.run("logs", "roles", "--rank", "wk-0", "--stream", "stderr").stderr
    assert silent == "wk-0 of job/roles has written nothing to stderr\n"
    for name in ("0", "wk-2", "worker-0"):
        refused = bai.run("logs", "roles", "--rank", name, code=2).stderr
        known = "it has wk-0 to wk-1 and ps-0"
        assert refused == f"error: job/roles has no process {name}: {known}\n"


ALTERNATING = """
wait_for() { until grep -q $1 $AZ_BATCHAI_STDOUTERR_DIR/$2.txt; do sleep 0.01; done; }
echo one; wait_for one stdout
echo two >&2; wait_for two stderr
echo three; echo -n begun; wait_for begun stdout
echo four >&2; wait_for four stderr
echo , ended
"""


def test_logs_that_are_read_later_come_in_the_order_in_which_they_were_written(bai):
    bai.run("apply", bai.write(bai.custom("job", ALTERNATING, preparation="echo ready >&2")))
    lines = ["preparation | ready", "one", "two", "three", "four", "begun, ended"]
    assert bai.run("logs", "job").stdout.splitlines() == lines
    assert bai.run("logs", "job", "--stream", "stderr").stdout.splitlines() == [
        "preparation | ready",
        "two",
        "four",
    ]
    (logs,) = bai.storage.rglob("stdouterr")
    # The logs themselves, and what stands beside them, are what Batch AI promises.
    assert {path.name: path.read_text() for path in logs.glob("std*")} == {
        "stdout-job_prep.txt": "",
        "stderr-job_prep.txt": "ready\n",
        "stdout.txt": "one\nthree\nbegun, ended\n",
        "stderr.txt": "two\nfour\n",
    }
    assert [path.name for path in logs.iterdir() if path.name[:3] != "std"] == ["execution.log"]
    # Without the record all is there still.
    (record,) = (bai.folder / ".bai/jobs").glob("*/log-order.txt")
    record.unlink()
    left = bai.run("logs", "job").stdout.splitlines()
    assert left == [lines[0], "one", "three", "begun, ended", "two", "four"]


def test_followed_logs_in_a_pipe_are_logs_alone_and_say_how_it_ended(bai):
    bai.run("apply", bai.write(bai.custom("job", "echo out; exit 3")), code=1)
    followed = bai.run("logs", "-f", "job", code=1)
    assert followed.stdout == "out\n"
    assert followed.stderr.startswith("job/job failed, exit code 3\n  JobFailed: ")


def test_waiting_for_a_job_says_why_it_failed(bai):
    bai.run("apply", bai.write(bai.custom("job", "exit 3")), code=1)
    waited = bai.run("wait", "job", code=1)
    assert waited.stdout == "job/job failed, exit code 3\n"
    assert waited.stderr.startswith("  JobFailed: ")
    assert "code 3" in waited.stderr


def test_phases_come_with_their_times(bai):
    done = bai.run("apply", bai.write(bai.custom("job", "echo out", preparation="echo ready")))
    shown = [re.sub(r"\+[\d.]+s$", "+", line) for line in done.stdout.splitlines()]
    assert [line for line in shown if line.endswith("+")] == [
        "queued  +",
        "mounting  +",
        "preparing  +",
        "running  +",
    ]
    assert shown.index("preparing  +") < shown.index("preparation | ready") < shown.index("out")


def test_the_phases_of_jobs_that_run_side_by_side_come_once(bai):
    gates = [bai.folder / name for name in "ab"]
    for gate in gates:
        os.mkfifo(gate)
    jobs = [bai.custom(gate.name, f"read x < {gate}") for gate in gates]
    spec = bai.write("".join(jobs))
    with bai.start("apply", spec) as process:
        lines = iter(process.stdout.readline, "")
        shown = []
        while {"a: running", "b: running"} - set(shown):
            shown.append(next(lines).partition("  +")[0])
        # Imports what both have reported.
        bai.run("get")
        for gate in gates:
            gate.write_text("x\n")
        shown += [line.partition("  +")[0] for line in lines]
    assert process.returncode == 0
    phases = [line for line in shown if line.endswith((": mounting", ": running"))]
    assert sorted(phases) == ["a: mounting", "a: running", "b: mounting", "b: running"]


def test_a_queued_job_says_what_it_waits_for(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    first = bai.custom("first", f"read x < {gate}", nodeCount=2)
    bai.run("apply", "-d", bai.write(first))
    assert "WAITS FOR" not in bai.run("get").stdout
    bai.run("wait", "first", "--for", "running")
    spec = bai.write(first + bai.custom("second", "echo mine"))
    bai.run("apply", "-d", spec)
    what = "1 node of cluster c: 0 of 2 free, first holds 2"
    table = bai.run("get").stdout.splitlines()
    assert table[0].endswith("  WAITS FOR")
    assert [line.endswith(f"  {what}") for line in table] == [False, False, True]
    described = bai.run("describe", "job", "second").stdout
    assert re.match(rf"job/second queued for \S+\n  waits for {what}\n", described)
    assert "waits for" not in bai.run("describe", "job", "first").stdout
    late = bai.run("wait", "second", "--timeout", "0", code=2)
    assert late.stderr == f"error: the job second is still queued after 0s; it waits for {what}\n"
    assert f", waits for {what}; follow it" in bai.run("apply", "-d", spec).stdout
    with bai.start("apply", bai.write(first + bai.custom("third", "echo last"))) as following:
        for line in following.stdout:
            if line.startswith("third: waits for its turn on cluster c, after second  +"):
                gate.write_text("go\n")
            elif line == "third | last\n":
                break
        else:
            raise AssertionError(following.stderr.read())


def test_the_end_of_each_of_several_jobs_is_reported_at_once(bai):
    # Not for ever, so that a test that fails ends.
    long = bai.custom("long", "for i in $(seq 600); do sleep 0.1; done")
    process = bai.start("apply", bai.write(long + bai.custom("quick", "exit 3")))
    reported = []
    for line in process.stdout:
        reported.append(line)
        if line.startswith("job/quick failed in"):
            process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert not any("job/long succeeded" in line for line in reported)
    # Only what goes on can be followed or cancelled.
    assert "detached: the job goes on\n" in reported
    assert reported[-2:] == ["  reattach  bai logs -f long\n", "  cancel    bai cancel long\n"]
    assert sum("reattach" in line for line in reported) == 1
    process.stdout.close()
    process.stderr.close()


def test_commands_that_wait_can_be_interrupted_and_the_job_goes_on(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    bai.run("apply", "-d", bai.write(bai.custom("long", f"echo begun; read x < {gate}")))
    assert interrupted(bai.start("logs", "-f", "long"), "begun") == 130
    late = bai.run("wait", "long", "--timeout", "0", code=2)
    assert late.stderr == "error: the job long is still running after 0s\n"
    for written in ("0s", "PT0S", "0:00:00"):
        assert bai.run("wait", "long", "--timeout", written, code=2).stderr == late.stderr
    assert "after 0.01s\n" in bai.run("wait", "long", "--timeout", "0.01", code=2).stderr
    for wrong in ("1x", "-1", "nan", "inf", ""):
        refused = " ".join(bai.run("wait", "long", f"--timeout={wrong}", code=2).stderr.split())
        assert f"{wrong!r} (expected 600 (seconds), 90s, 1h30m or PT12H" in refused
    gate.write_text("go\n")
    assert bai.run("wait", "long", "--timeout", "1m").stdout == "job/long succeeded, exit code 0\n"
