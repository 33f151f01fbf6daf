"""`bai storage`: what is lost, what is copied, and how it looks."""

import io
import os
import select
import socket
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
    terminal.until("Remove all of azureFile:r? (job/long is running and uses it)")
    os.write(terminal.screen, b"n\n")
    assert terminal.end() == 2
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


def test_python_removes_a_share_in_use_only_if_asked(bai, gate, monkeypatch):
    applied(bai, bai.custom("long", f"read x < {gate}"))
    monkeypatch.chdir(bai.folder)
    storage = python_api.connect().storage
    storage.write("azureFile:r/x", io.BytesIO(b"data"))
    with pytest.raises(python_api.InUseError, match=r"all the same with in_use=True$"):
        storage.remove("azureFile:r", recursive=True)
    storage.remove("azureFile:r", recursive=True, in_use=True)
    assert not (bai.folder / FILES / "r").exists()


def test_logs_that_were_removed_are_distinguished_from_logs_without_a_word(bai, gate):
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


def below(folder):
    """Return what is in a folder: path -> content, or None of a folder."""
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_text()
        for path in folder.rglob("*")
    }


def test_what_can_t_be_copied_is_left_out_and_reported(bai):
    data, out = bai.folder / "data", bai.folder / "out"
    (data / "deep/empty").mkdir(parents=True)
    (data / "deep/a").write_text("a")
    (data / "b").write_text("b")
    links = {"file": "b", "folder": "deep", "gone": "nowhere/x", "self": "self", "deep/up": ".."}
    for link, to in links.items():
        (data / link).symlink_to(to)
    os.mkfifo(data / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(data / "socket"))
        done = bai.run("storage", "cp", "-r", "data", "azureFile:share", code=1)
    assert done.stdout == "created azureFile:share\ncopied 4 files; 6 could not be copied\n"
    assert done.stderr.splitlines() == [
        "not copied: data/deep/up: a link to a folder that it is in",
        "not copied: data/folder/up: a link to a folder that it is in",
        "not copied: data/gone: a link to nowhere/x, where nothing is",
        "not copied: data/pipe: a named pipe",
        "not copied: data/self: a link in a circle",
        "not copied: data/socket: a socket",
    ]
    copied = {"deep": None, "deep/a": "a", "deep/empty": None, "b": "b", "file": "b"}
    share = bai.folder / FILES / "share"
    assert below(share) == copied | {"folder": None, "folder/a": "a", "folder/empty": None}
    assert not any(path.is_symlink() for path in share.rglob("*"))
    # A link that a job made may lead anywhere: what is not in the account is not taken from it.
    (share / "file").unlink()
    (share / "file").symlink_to(bai.folder / "bai.toml")
    done = bai.run("storage", "cp", "-r", "azureFile:share", out, code=1)
    assert done.stderr == "not copied: azureFile:share/file: a link out of the storage account\n"
    assert not (out / "file").exists()
    assert (out / "deep/a").read_text() == "a"
    # Alone, it is an error.
    alone = bai.run("storage", "cp", "data/gone", "azureFile:share", code=2).stderr
    assert alone == "error: can't copy data/gone: it is a link to nowhere/x, where nothing is\n"


def test_a_file_that_can_t_be_read_or_replaced_does_not_stop_a_copy(bai):
    data = bai.folder / "data"
    data.mkdir()
    # It opens, and nobody can read its first bytes, not even root.
    (data / "a").symlink_to("/proc/self/mem")
    (data / "b").write_text("b")
    (data / "c").write_text("c")
    strange = "line\nbreak", os.fsdecode(b"\xff")
    for name in strange:
        (data / name).write_text("strange")
    share = bai.folder / FILES / "share/data"
    (share / "b").mkdir(parents=True)
    done = bai.run("storage", "cp", "-r", "data", "azureFile:share", code=1)
    assert done.stdout == "copied 3 files; 2 could not be copied\n"
    assert done.stderr.splitlines() == [
        "not copied: data/a: Input/output error",
        "not copied: data/b: a folder is at azureFile:share/data/b",
    ]
    assert {path.name for path in share.iterdir()} == {"b", "c", *strange}
    into = bai.run("storage", "cp", "-r", "azureFile:share", "azureFile:share/b", code=2).stderr
    assert into.startswith("error: can't copy azureFile:share to azureFile:share/b: that is in")


def test_a_disk_that_gets_full_leaves_whole_files_alone(bai, tmp_path_factory):
    disk = tmp_path_factory.mktemp("disk")
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("can't mount a tmpfs here")
    try:
        bai.context(slots=2, storage=disk)
        data = bai.folder / "data"
        data.mkdir()
        for name, size in (("a", 10), ("b", 3_000_000), ("c", 10)):
            (data / name).write_bytes(b"x" * size)
        full = bai.run("storage", "cp", "-r", "data", "azureFile:share", code=2)
        assert full.stderr == (
            "error: can't copy data to azureFile:share: No space left on device "
            "(files copied by then: 1)\n"
        )
        assert below(disk / "default/files/share") == {"a": "x" * 10}
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_listing_has_a_line_for_each_name_however_long_or_strange(bai):
    deep = bai.folder / FILES / "r" / ("d" * 100)
    deep.mkdir(parents=True)
    (deep / "a\n\x1b[31mb").write_text("abc")
    (deep.parent / "c").write_text("x" * 123_456)
    for path in (deep, deep / "a\n\x1b[31mb", deep.parent / "c"):
        os.utime(path, (0, 0))
    listed = bai.run("storage", "ls", "-r", "azureFile:r", env={"TZ": "UTC"}).stdout
    assert listed.splitlines() == [
        " BYTES  MODIFIED             NAME",
        "123456  1970-01-01 00:00:00  c",
        "        1970-01-01 00:00:00  " + f"{deep.name}/",
        "     3  1970-01-01 00:00:00  " + f"{deep.name}/a\ufffd\ufffd[31mb",
    ]


def test_a_long_copy_says_on_a_terminal_how_far_it_is(bai, gate):
    terminal = Terminal(bai, "storage", "cp", "gate", "azureFile:r/x")
    with gate.open("wb") as pipe:
        # More and more of the file, until there has been time to show it.
        for _ in range(200):
            if select.select([terminal.screen], [], [], 0.05)[0]:
                break
            pipe.write(bytes(1 << 20))
            pipe.flush()
        terminal.until("copying ██████████ ")
    assert terminal.end() == 0
    assert terminal.text.endswith("\x1b[2Kcreated azureFile:r\r\ncopied 1 file\r\n")


def test_a_folder_is_made_like_another_one(bai):
    data, share = bai.folder / "data", bai.folder / FILES / "share"
    (data / "deep/empty").mkdir(parents=True)
    for name in ("a", "b", "deep/c"):
        (data / name).write_text(name)
    sync = ("storage", "sync", "data", "azureFile:share")
    new = bai.run(*sync).stdout
    assert new == "created azureFile:share\ncopied 3 files, 0 unchanged\n"
    assert below(share) == below(data)
    assert bai.run(*sync).stdout == "copied 0 files, 3 unchanged\n"
    # Of the same size, and as old: only what is in it says that it differs.
    (data / "a").write_text("A")
    os.utime(data / "a", ns=((share / "a").stat().st_mtime_ns,) * 2)
    (share / "more").mkdir()
    (share / "more/x").write_text("x")
    (share / "more/link").symlink_to(data)
    (share / "deep/c").unlink()
    (share / "deep/c").mkdir()
    done = bai.run(*sync, code=1)
    assert done.stdout == "copied 1 file, 1 unchanged; 1 could not be copied\n"
    assert done.stderr == "not copied: data/deep/c: a folder is at azureFile:share/deep/c\n"
    assert (share / "more/x").exists()
    refused = bai.run(*sync, "--delete", code=2, stdin=subprocess.DEVNULL).stderr
    assert refused == (
        "error: 1 file would be removed from azureFile:share: add --yes to remove it\n"
    )
    terminal = Terminal(bai, *sync, "--delete")
    terminal.until("Remove 1 file of azureFile:share?")
    os.write(terminal.screen, b"n\n")
    assert terminal.end() == 2
    assert (share / "more/x").exists()
    done = bai.run(*sync, "--delete", "--yes").stdout
    assert done == "copied 1 file, removed 1 file, 2 unchanged\n"
    assert below(share) == below(data)
    assert (data / "a").exists()


def test_only_folders_that_are_apart_are_synchronised(bai):
    (bai.folder / "data/deep").mkdir(parents=True)
    (bai.folder / "file").touch()
    for arguments, message in {
        ("file", "azureFile:x"): "file is a file: only folders are synchronised",
        ("data", "file"): "file is a file: only folders are synchronised",
        ("nowhere", "data"): "there is nothing at nowhere",
        ("data", "data/deep"): "data and data/deep are in one another",
        ("data/deep", "data"): "data/deep and data are in one another",
        ("data", "azureFile:"): "azureFile: names no share: files are in shares and containers",
    }.items():
        refused = bai.run("storage", "sync", *arguments, code=2).stderr
        assert refused == f"error: {message}\n"


def test_what_a_running_job_uses_is_not_synchronised_away_without_a_word(bai, gate):
    applied(bai, bai.custom("long", f"read x < {gate}"))
    bai.run("wait", "long", "--for", "running")
    (bai.folder / "empty").mkdir()
    sync = ("storage", "sync", "empty", "azureFile:r", "--delete")
    refused = bai.run(*sync, code=2, stdin=subprocess.DEVNULL).stderr
    assert refused.startswith("error: azureFile:r is in use by long (running): wait for it")
    bai.run("cancel", "long")
