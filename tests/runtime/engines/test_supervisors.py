"""Supervisors of the local engine that are killed."""

import os
import shutil
import signal

from watching import gone, job_json, supervisors, until


def pair(bai):
    """Return guardian and supervisor of the only job that runs."""
    (found,) = until(lambda: supervisors(bai.folder / ".bai"), "the supervisor").values()
    return found


def test_a_killed_supervisor_leaves_no_process_and_a_recorded_failure(bai):
    pid = bai.folder / "pid"
    bai.run("apply", "-d", bai.write(bai.custom("lost", f"echo $$ > {pid}; sleep 600")))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    _, supervisor = pair(bai)
    os.kill(supervisor, signal.SIGKILL)
    bai.run("wait", "lost", code=1)
    assert gone(int(pid.read_text()))
    info = job_json(bai, "lost")["executionInfo"]
    assert info["errors"][0]["code"] == "JobSupervisorLost"


def test_killed_supervisor_and_guardian_are_found_by_the_next_command(bai):
    pid = bai.folder / "pid"
    bai.run("apply", "-d", bai.write(bai.custom("lost", f"echo $$ > {pid}; sleep 600")))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    for supervisor in pair(bai):
        os.kill(supervisor, signal.SIGKILL)
    assert gone(supervisor)
    assert "failed" in bai.run("get", "jobs").stdout
    assert gone(int(pid.read_text()))


def test_a_process_that_hides_is_ended_when_both_are_killed(bai):
    pid = bai.folder / "pid"
    script = bai.folder / "hide.sh"
    script.write_text(f"setsid env -i sh -c 'echo $$ > {pid}; exec sleep 600' &\nsleep 600\n")
    bai.run("apply", "-d", bai.write(bai.custom("lost", f"sh {script}")))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    # Without a control group, it is found once it is recorded.
    folder = next((bai.folder / ".bai/jobs").iterdir())
    until(lambda: any(pid.read_text().strip() in text for text in handles(folder)), "its handle")
    guardian, supervisor = pair(bai)
    for number in (signal.SIGSTOP, signal.SIGKILL):
        # Stopped first, so that neither does anything after the other's end.
        os.kill(guardian, number)
        os.kill(supervisor, number)
    assert gone(supervisor)
    bai.run("wait", "lost", code=1)
    assert gone(int(pid.read_text()))
    (error,) = job_json(bai, "lost")["executionInfo"]["errors"]
    certain = (folder / "cgroup-1").is_symlink()
    which = "all its processes" if certain else "those of its processes that could be found"
    assert error["message"] == f"The supervisor of the job was killed; {which} were ended"


def handles(folder):
    """Return what names the processes of an attempt's first run."""
    files = (folder / "cgroup-1/cgroup.procs", folder / "processes-1.json")
    return [path.read_text() for path in files if path.exists()]


def test_a_process_dies_with_supervisor_and_guardian_before_any_command_looks(bai):
    pid = bai.folder / "pid"
    bai.run("apply", "-d", bai.write(bai.custom("lost", f"echo $$ > {pid}; read x < /dev/zero")))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    for supervisor in pair(bai):
        os.kill(supervisor, signal.SIGKILL)
    assert gone(int(pid.read_text()))


def test_queued_jobs_have_no_process_and_start_one_after_the_other(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    texts = [bai.custom("first", f"read x < {gate}")]
    texts += [bai.custom(f"job{number}", f"echo {number}") for number in range(5)]
    bai.run("apply", "-d", bai.write("".join(texts), scale=1))
    bai.run("wait", "first", "--for", "running")
    assert len(supervisors(bai.folder / ".bai")) == 1
    gate.write_text("go\n")
    for number in range(5):
        bai.run("wait", f"job{number}")
        assert bai.run("logs", f"job{number}").stdout == f"{number}\n"


def test_a_queued_job_starts_with_the_next_command_after_a_kill(bai):
    first = bai.custom("first", "sleep 600", nodeCount=2)
    bai.run("apply", "-d", bai.write(first + bai.custom("second", "echo done")))
    bai.run("wait", "first", "--for", "running")
    guardian, supervisor = pair(bai)
    # Stopped first, so that it does nothing after the supervisor's end.
    os.kill(guardian, signal.SIGSTOP)
    os.kill(supervisor, signal.SIGKILL)
    os.kill(guardian, signal.SIGKILL)
    assert gone(guardian)
    bai.run("get", "jobs")
    bai.run("wait", "second")
    assert bai.run("logs", "second").stdout == "done\n"


def test_a_supervisor_ends_when_its_folder_is_removed(bai):
    bai.run("apply", "-d", bai.write(bai.custom("first", "sleep 600")))
    found = pair(bai)
    jobs = bai.folder / ".bai/jobs"

    def is_removed():
        # The supervisor may write a file meanwhile.
        shutil.rmtree(jobs, ignore_errors=True)
        return not jobs.exists()

    until(is_removed, "the removal of the folder")
    assert all(gone(pid) for pid in found)


def test_a_job_gets_the_environment_of_the_command_that_submitted_it(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    first = bai.custom("first", f"read x < {gate}", nodeCount=2)
    second = bai.custom("second", "echo $WORD $TOKEN", secrets="{TOKEN: env:HERE}")
    bai.run("apply", "-d", bai.write(first), env={"WORD": "other"})
    spec = bai.write(first + second)
    bai.run("apply", "-d", spec, env={"WORD": "mine", "HERE": "secret"})
    kept = list((bai.folder / ".bai/jobs").glob("*/submitted.json"))
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    gate.write_text("go\n")
    bai.run("wait", "second")
    assert bai.run("logs", "second").stdout == "mine secret\n"
    until(lambda: not any(path.exists() for path in kept), "the end of what was submitted")
