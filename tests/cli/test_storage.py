"""`bai storage`: what is lost, what is copied, and how it looks."""

import io
import os
import subprocess

import pytest
from terminal import Terminal

import bai as python_api

FILES = ".bai/storage/default/files"


@pytest.fixture
def gate(bai):
    """A pipe that jobs wait at until something is written."""
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    return gate


def applied(bai, *jobs):
    """Start jobs in the background and return when their supervisors have them."""
    bai.run("apply", "--detach", bai.write("".join(jobs), scale=1))


def test_a_share_that_a_job_uses_is_removed_on_the_user_s_word_alone(bai, gate):
    applied(bai, bai.custom("long", f"read x < {gate}"), bai.custom("next", "true"))
    bai.run("wait", "long", "--for", "running")
    share, removing = bai.folder / FILES / "r", ("storage", "rm", "-r", "azureFile:r")
    refused = bai.run(*removing, code=2, stdin=subprocess.DEVNULL).stderr
    assert refused == (
        "error: azureFile:r is in use by long (running), next (queued): wait for them with "
        "`bai wait`, end them with `bai cancel`, or remove it all the same with --yes\n"
    )
    bai.run("cancel", "next")
    (share / "data").mkdir()
    refused = bai.run(*removing[:-1], "azureFile:r/data", code=2, stdin=subprocess.DEVNULL).stderr
    assert refused == (
        "error: azureFile:r/data is in use by long (running): wait for it (`bai wait long`), end "
        "it (`bai cancel long`), or remove it all the same with --yes\n"
    )
    terminal = Terminal(bai, *removing)
    terminal.until("Remove all of azureFile:r? (long is running and uses it)")
    os.write(terminal.screen, b"n\n")
    assert terminal.end() == 1
    assert (share / "data").is_dir()
    bai.run(*removing, "--yes", stdin=subprocess.DEVNULL)
    assert not share.exists()


def test_what_no_running_job_uses_is_removed_without_a_word(bai, gate):
    # The folder of the code is around all of storage.
    around = "{r: azureFile:r, code: 'file:.'}\n      logs: ${mounts.r}"
    early = bai.custom("early", "true").replace("{r: azureFile:r}\n      logs: ${mounts.r}", around)
    assert around in early
    applied(bai, early)
    bai.run("wait", "early")
    late = early.replace("early:", "late:").replace('"true"', f'"read x < {gate}"')
    applied(bai, early, late)
    bai.run("wait", "late", "--for", "running")
    bai.run("storage", "cp", "-", "azureFile:other/dir/x", input="data")
    bai.run("storage", "rm", "-r", "azureFile:other/dir", stdin=subprocess.DEVNULL)
    # What the job before wrote into the same share is not the running one's.
    (jobs,) = (bai.folder / FILES / "r").glob("*/*/workspaces/*/experiments/*/jobs")
    at = f"azureFile:{jobs.relative_to(bai.folder / FILES)}"
    bai.run("storage", "rm", "-r", f"{at}/early", stdin=subprocess.DEVNULL)
    own = bai.run("storage", "rm", "-r", f"{at}/late", code=2, stdin=subprocess.DEVNULL).stderr
    assert "late is in use by late (running)" in own
    assert [path.name for path in jobs.iterdir()] == ["late"]
    bai.run("cancel", "late")
    bai.run("storage", "rm", "-r", f"{at}/late", stdin=subprocess.DEVNULL)


def test_python_removes_a_share_in_use_only_if_told(bai, gate, monkeypatch):
    applied(bai, bai.custom("long", f"read x < {gate}"))
    monkeypatch.chdir(bai.folder)
    storage = python_api.connect().storage
    storage.write("azureFile:r/x", io.BytesIO(b"data"))
    with pytest.raises(python_api.InUseError, match=r"all the same with in_use=True$"):
        storage.remove("azureFile:r", recursive=True)
    storage.remove("azureFile:r", recursive=True, in_use=True)
    assert not (bai.folder / FILES / "r").exists()


def test_logs_that_were_removed_are_told_from_logs_without_a_word(bai, gate):
    applied(bai, bai.custom("job", f"read x < {gate}"), bai.custom("never", "true"))
    bai.run("wait", "job", "--for", "running")
    # A job that was cancelled before it began had no folder.
    bai.run("cancel", "never")
    assert bai.run("logs", "never").stderr == "job/never has written nothing\n"
    bai.run("cancel", "job")
    assert bai.run("logs", "job").stderr == "job/job has written nothing\n"
    bai.run("storage", "rm", "-r", "azureFile:r", "--yes")
    gone = bai.run("logs", "job", code=2)
    assert gone.stdout == ""
    assert gone.stderr.startswith(f"error: the logs of job/job are gone: {bai.folder}/{FILES}/r/")
    assert gone.stderr.endswith("/stdouterr is missing\n")
