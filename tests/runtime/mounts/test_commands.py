"""Mounts that a command of the user's makes, where the context lets it run."""

import os
import shutil
import signal
import time

import pytest
from blob_jobs import DATA, error
from watching import supervisors, until

from bai.runtime.errors import LaunchError
from bai.runtime.mounts.commands import CommandDriver
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.mounted import mounted_below

root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root to mount a tmpfs")
TMPFS = "mount -t tmpfs tmpfs"


def job(bai, mount, command, more=""):
    """Write a spec with a job that mounts something by a command."""
    return bai.write(
        "    train:\n"
        f'      mounts: {{r: azureFile:r, data: "command:{mount}"}}\n'
        "      logs: ${mounts.r}\n"
        f"{more}      custom: {{command: '{command}'}}\n"
    )


@root
def test_a_job_has_what_its_command_mounts(bai):
    bai.context(slots=2, **{"unmanaged-mounts": "run"})
    command = f"cd {DATA}; echo hello > words; stat --file-system --format %T .; cat words"
    bai.run("apply", job(bai, TMPFS, command))
    assert bai.run("logs", "train").stdout == "tmpfs\nhello\n"
    assert mounted_below(bai.folder) == []
    assert not list((bai.folder / ".bai/jobs").glob("*/mounts/job/data"))


def test_a_command_is_refused_unless_the_context_lets_it_run(bai):
    done = bai.run("diff", job(bai, TMPFS, "true"), code=2).stderr
    assert "error BAI508 " in done
    said = " ".join(done.split())
    assert f"this machine does not run the mount command '{TMPFS}'" in said
    assert 'unmanaged-mounts = "run" below [contexts.test.engine] in bai.toml' in said


def test_a_job_reads_no_logs_in_what_a_command_mounts(bai):
    bai.context(slots=2, **{"unmanaged-mounts": "run"})
    spec = job(bai, TMPFS, "true")
    spec.write_text(spec.read_text().replace("logs: ${mounts.r}", "logs: ${mounts.data}"))
    done = bai.run("diff", spec, code=2).stderr
    assert "the job has its logs in the mount 'data'" in " ".join(done.split())


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("echo no such server >&2; exit 32", "exit code 32: no such server"),
        ("true", "it has ended, and nothing is mounted there"),
    ],
)
def test_a_command_that_mounts_nothing_ends_the_job(bai, command, why):
    bai.context(slots=2, **{"unmanaged-mounts": "run"})
    script = bai.folder / "script"
    script.write_text(command)
    bai.run("apply", job(bai, f"sh {script}", "true"), code=1)
    assert error(bai) == ("JobLaunchFailed", f"the mount command of data failed: {why}")


def test_a_command_that_hangs_is_ended(tmp_path):
    driver = CommandDriver(lambda: None, seconds=0.2)
    path, cache = tmp_path / "data", tmp_path / "cache"
    mount = Mount("data", str(path), "sleep 1000; :", driver="command", cache=str(cache))
    begin = time.monotonic()
    with pytest.raises(LaunchError, match="it took longer than 0 s"):
        driver.mount(mount)
    assert time.monotonic() - begin < 60
    assert not path.exists()


@pytest.mark.skipif(not shutil.which("rclone"), reason="rclone is not installed")
def test_what_serves_a_mount_outlives_the_preparation(bai):
    bai.context(slots=2, **{"unmanaged-mounts": "run"})
    (bai.folder / "source").mkdir()
    command = f"rclone mount --daemon :local:{bai.folder}/source"
    prepared = "      preparation: 'true'\n"
    bai.run("apply", job(bai, command, f"echo hello > {DATA}/words", prepared))
    assert (bai.folder / "source/words").read_text() == "hello\n"
    assert mounted_below(bai.folder) == []


@root
def test_a_killed_supervisor_leaves_no_mount(bai):
    bai.context(slots=2, **{"unmanaged-mounts": "run"})
    ready = bai.folder / "ready"
    bai.run("apply", "-d", job(bai, TMPFS, f"cd {DATA}; touch {ready}; read x < /dev/zero"))
    until(ready.exists, "the job")
    assert len(mounted_below(bai.folder)) == 1
    [(_, supervisor)] = supervisors(bai.folder / ".bai").values()
    os.kill(supervisor, signal.SIGKILL)
    bai.run("wait", "train", code=1)
    assert error(bai)[0] == "JobSupervisorLost"
    assert mounted_below(bai.folder) == []
