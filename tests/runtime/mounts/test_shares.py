"""Jobs that mount file shares of a real account, on Samba."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import samba
from watching import job_json

from bai.runtime.errors import UploadError
from bai.runtime.mounts import kernel, smb
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.mounted import mounted_below
from bai.runtime.mounts.rclone_uploads import Server, verify

MISSING = smb.obstacle()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=": ".join(MISSING or ()))
by_rclone = pytest.mark.skipif(
    kernel.obstacle(smb.CIFS) is None, reason="the kernel of this machine mounts shares itself"
)
SHARE = "azureFile://vision/data"
DATA = '"$AZ_BATCHAI_JOB_MOUNT_ROOT/data"'


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with samba.served(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def data(server):
    """The folder of the share, which is empty."""
    for path in server.data.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return server.data


def account(bai, endpoint, key=samba.Samba.key, login='key = "env:VISION_KEY"'):
    """Make the account `vision` of the context a real one."""
    with (bai.folder / "bai.toml").open("a") as file:
        file.write(f'[contexts.test.accounts.vision]\nfile-endpoint = "{endpoint}"\n{login}\n')
    bai.environment["VISION_KEY"] = key


def job(bai, command, mount=SHARE):
    """Write a spec with a job that has a share at `data`."""
    return bai.write(
        "    train:\n"
        f"      mounts: {{r: azureFile:r, data: '{mount}'}}\n"
        "      logs: ${mounts.r}\n"
        "      outputs: {MODEL: '${mounts.data}'}\n"
        f"      custom: {{command: '{command}'}}\n"
    )


def error(bai):
    """Return code and message of the job's error."""
    [found] = job_json(bai, "train")["executionInfo"]["errors"]
    return found["code"], found["message"]


def listed(folder: Path) -> dict[str, int]:
    """Return all files below a folder with their sizes, and its empty folders."""
    paths = [path for path in folder.rglob("*") if path.is_file() or not any(path.iterdir())]
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in paths}


def test_a_job_reads_and_writes_a_share(bai, server, data):
    account(bai, server.endpoint)
    (data / "in").mkdir()
    (data / "in/words").write_text("hello\n")
    (data / "old").touch()
    command = (
        f"cd {DATA} && cat in/words && rm old && mkdir new && head -c 3000000 /dev/urandom > big"
        " && touch empty && mv big new/bigger && echo more >> in/words && sha256sum new/bigger"
        " && echo m > $AZ_BATCHAI_OUTPUT_MODEL/m && env && ps ww -e -o args"
    )
    done = bai.run("apply", job(bai, command))
    assert "note: job train: azureFile://vision/data is mounted by " in done.stdout + done.stderr
    said = bai.run("logs", "train").stdout
    assert said.startswith("hello\n")
    assert "VISION_KEY=" not in said
    assert server.key not in said
    files = listed(data)
    [model] = [name for name in files if name.endswith("/outputs/m")]
    assert files == {"in/words": 11, "new/bigger": 3_000_000, "empty": 0, model: 2}
    assert (data / "in/words").read_text() == "hello\nmore\n"
    # The end of the job comes after that of the mount and its cache.
    assert mounted_below(bai.folder) == []
    assert list((bai.folder / ".bai/jobs").glob("*/mounts/*-cache/*")) == []
    for path in (bai.folder / ".bai").rglob("*"):
        assert not path.is_file() or server.key.encode() not in path.read_bytes(), path
    described = bai.run("describe", "job", "train").stdout
    assert f"azureFile://vision/data/{model.removesuffix('/m')}" in described


def test_a_directory_of_a_share_has_the_modes_of_the_spec(bai, server, data):
    account(bai, server.endpoint)
    (data / "one/two").mkdir(parents=True)
    (data / "one/two/words").touch()
    command = f"cd {DATA} && stat -c %a words . && echo x > new"
    options = "fileMode=0640&directoryMode=0750"
    done = bai.run("apply", job(bai, command, f"{SHARE}/one/two?{options}"))
    assert "BAI510" not in done.stderr
    assert bai.run("logs", "train").stdout == "640\n750\n"
    assert (data / "one/two/new").read_text() == "x\n"


@pytest.mark.parametrize(
    ("key", "mount", "reason"),
    [
        ("bm8=", SHARE, "it refuses the user or the key"),
        (samba.Samba.key, "azureFile://vision/none", "there is no such share: make it first"),
    ],
)
def test_what_cant_be_mounted_ends_the_job(bai, server, data, key, mount, reason):
    account(bai, server.endpoint, key)
    bai.run("apply", job(bai, "true", mount), code=1)
    code, message = error(bai)
    assert code == "JobLaunchFailed"
    assert message.startswith(f"can't mount data, {server.endpoint}/")
    assert message.endswith(reason)
    assert mounted_below(bai.folder) == []


def test_a_server_that_is_gone_ends_the_job(bai, tmp_path):
    with samba.served(tmp_path / "server") as server:
        account(bai, server.endpoint)
    bai.run("apply", job(bai, "true"), code=1)
    code, message = error(bai)
    assert code == "JobLaunchFailed"
    assert message.lower() == f"can't mount data, {server.endpoint}/data: connection refused"


@pytest.mark.parametrize(
    ("login", "path", "message"),
    [
        (
            'sas = "env:VISION_KEY"',
            "",
            "can be mounted with a key alone: give the account vision",
        ),
        ("identity = true", "", "a key in place of identity"),
        pytest.param(
            'key = "env:VISION_KEY"',
            "bin",
            "rclone, which mounts file shares, is not installed",
            marks=by_rclone,
        ),
    ],
)
def test_what_is_known_before_the_run_is_a_finding(bai, tmp_path, login, path, message):
    account(bai, "smb://127.0.0.1", login=login)
    if path:
        (tmp_path / path).mkdir()
        for name in ("bash", "sh", "env", "python3"):
            (tmp_path / path / name).symlink_to(shutil.which(name))
        bai.environment["PATH"] = str(tmp_path / path)
    done = bai.run("diff", job(bai, "true"), code=2).stderr
    assert "error BAI508 " in done
    assert message in " ".join(done.split())


@by_rclone
def test_what_has_arrived_is_compared_by_its_bytes(server, data, tmp_path):
    """A server of shares keeps no checksums, and a file of the same size may have other bytes."""
    shares = smb.Shares()
    mount = Mount(
        "data", "/none", f"{server.endpoint}/data", cache=str(tmp_path), user="vision",
        secret=server.key,
    )  # fmt: skip
    (tmp_path / "vfs/bai/data").mkdir(parents=True)
    for name, sent in (("same", "abc"), ("other", "abd")):
        (tmp_path / "vfs/bai/data" / name).write_text("abc")
        (data / name).write_text(sent)
    environment = {**os.environ, "RCLONE_CONFIG": os.devnull, **shares.variables(mount)}
    with subprocess.Popen(["true"]) as process:
        shown = Server(mount, shares, process, environment)
    verify(shown, ["same"])
    with pytest.raises(UploadError, match=r"1 file in smb://.*, other for one, not what the job"):
        verify(shown, ["same", "other"])


def test_no_files_are_copied_by_smb(bai):
    account(bai, "smb://127.0.0.1")
    said = bai.run("storage", "ls", "azureFile://vision/data", code=2).stderr
    assert "the shares of the account vision are reached by SMB alone" in said
