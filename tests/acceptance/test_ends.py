"""How jobs end, and that nothing of them is left then."""

import os

from watching import gone, job_json, until


def test_a_failing_preparation_fails_the_job_with_its_exit_code(bai):
    text = bai.custom("prep", "echo never", preparation="echo no >&2; exit 3", nodeCount=2)
    done = bai.run("apply", bai.write(text), code=1)
    info = job_json(bai, "prep")["executionInfo"]
    assert info["exitCode"] == 3
    assert info["errors"][0]["code"] == "JobPreparationFailed"
    assert "never" not in done.stdout
    logs = next(bai.storage.rglob("stdouterr"))
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
