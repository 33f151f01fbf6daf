"""Snapshots are there whole or not at all."""

import os
import threading
from pathlib import Path

import pytest

from bai.runtime.code import snapshots
from bai.runtime.code.folders import DiskFolders
from bai.runtime.code.snapshots import is_whole, make_snapshot
from bai.runtime.errors import StorageError
from bai.specs.errors import ConflictError


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "code/sub").mkdir(parents=True)
    (tmp_path / "code/train.py").write_text("print()")
    (tmp_path / "code/sub/run").write_text("x" * 5000)
    (tmp_path / "code/sub/run").chmod(0o755)
    (tmp_path / "code/link").symlink_to("sub/run")
    return tmp_path / "code"


@pytest.fixture
def share(tmp_path):
    return tmp_path / "storage/default/files/code"


@pytest.fixture
def folders():
    return DiskFolders(10**6, lambda: ())


def names(path):
    return sorted(each.name for each in path.iterdir())


def test_what_is_copied(folder, share, folders):
    code = folders.find(str(folder))
    make_snapshot(code, folders, share)
    made = share / code.name
    assert names(share) == [code.name, f"{code.name}.json"]
    assert names(made) == ["link", "sub", "train.py"]
    assert (made / "train.py").read_text() == "print()"
    assert (made / "link").readlink() == Path("sub/run")
    assert (made / "sub/run").stat().st_mode & 0o777 == 0o555
    assert (made / "train.py").stat().st_mode & 0o777 == 0o444
    assert is_whole(share, code.name)
    assert DiskFolders(10**6, lambda: ()).find(str(made)).words == "3 files, 5.0 kB"


def test_a_snapshot_that_is_there_is_not_made_again(folder, share, folders, monkeypatch):
    code = folders.find(str(folder))
    make_snapshot(code, folders, share)
    monkeypatch.setattr(snapshots, "_make", lambda *_: pytest.fail("made again"))
    make_snapshot(code, folders, share)


@pytest.mark.parametrize(
    "damage",
    [
        lambda made: (made / "train.py").unlink(),
        lambda made: (made / "link").unlink(),
        lambda made: os.truncate(made / "sub/run", 10),
        lambda made: made.with_name(f"{made.name}.json").write_text("["),
        lambda made: made.with_name(f"{made.name}.json").unlink(),
        lambda made: made.rename(made.with_name("elsewhere")),
    ],
)
def test_a_damaged_snapshot_is_made_again(folder, share, folders, damage):
    code = folders.find(str(folder))
    make_snapshot(code, folders, share)
    (share / code.name / "sub/run").chmod(0o755)
    damage(share / code.name)
    assert not is_whole(share, code.name)
    make_snapshot(code, folders, share)
    assert is_whole(share, code.name)
    assert (share / code.name / "train.py").read_text() == "print()"


def test_what_a_job_writes_there_is_no_damage(folder, share, folders):
    code = folders.find(str(folder))
    make_snapshot(code, folders, share)
    (share / code.name / "checkpoint").touch()
    assert is_whole(share, code.name)


def test_code_that_changes_meanwhile_is_refused_and_leaves_nothing(folder, share, folders):
    code = folders.find(str(folder))
    (folder / "train.py").write_text("print(1)")
    with pytest.raises(ConflictError, match="has changed since the plan was made"):
        make_snapshot(code, folders, share)
    assert names(share) == []


def test_a_killed_copy_leaves_no_snapshot_and_goes_with_the_next_one(folder, share, folders):
    code = folders.find(str(folder))
    if (pid := os.fork()) == 0:
        snapshots._copy = lambda *_: os.kill(os.getpid(), 9)
        make_snapshot(code, folders, share)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 9
    [half] = names(share)
    assert half.startswith(".copying-")
    make_snapshot(code, folders, share)
    assert names(share) == [code.name, f"{code.name}.json"]


def test_a_full_disk_is_said_plainly_and_leaves_nothing(folder, small, folders):
    (folder / "large").write_bytes(b"x" * 900_000)
    (folder / "more").write_bytes(b"x" * 90_000)
    (small / "taken").write_bytes(b"x" * 200_000)
    code = folders.find(str(folder))
    with pytest.raises(StorageError, match=r"No space left on device\. Free some space"):
        make_snapshot(code, folders, small / "code")
    assert names(small / "code") == []


def test_many_at_once_make_one_snapshot(folder, share):
    def make():
        folders = DiskFolders(10**6, lambda: ())
        make_snapshot(folders.find(str(folder)), folders, share)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    name = DiskFolders(10**6, lambda: ()).find(str(folder)).name
    assert names(share) == [name, f"{name}.json"]
    assert is_whole(share, name)
