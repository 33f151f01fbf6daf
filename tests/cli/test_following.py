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


def test_followed_logs_in_a_pipe_are_logs_alone_and_tell_the_end(bai):
    bai.run("apply", bai.write(bai.custom("job", "echo out; exit 3")), code=1)
    assert bai.run("logs", "-f", "job", code=1).stdout == "out\n"


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


def test_commands_that_wait_can_be_interrupted_and_the_job_goes_on(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    bai.run("apply", "-d", bai.write(bai.custom("long", f"echo begun; read x < {gate}")))
    assert interrupted(bai.start("logs", "-f", "long"), "begun") == 130
    late = bai.run("wait", "long", "--timeout", "0", code=2)
    assert late.stderr == "error: the job long is running after 0 s\n"
    gate.write_text("go\n")
    assert bai.run("wait", "long").stdout == "job/long succeeded, exit code 0\n"
