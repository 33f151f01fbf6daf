"""Jobs that mount containers of a real account, on Azurite by rclone's FUSE mount."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from azurite import served
from blob_jobs import DATA, account, container, error, job, running
from watching import supervisors, until

from bai.runtime.mounts.mounted import mounted_below
from bai.runtime.mounts.rclone import obstacle

MISSING = obstacle("containers")
pytestmark = pytest.mark.skipif(MISSING is not None, reason=": ".join(MISSING or ()))

FUSE = 'mount = "fuse"\n'


@pytest.fixture
def data(azurite):
    """A container, which is empty."""
    return container(azurite)


def test_a_job_reads_and_writes_a_container(bai, azurite, data):
    account(bai, azurite)
    data.upload_blob("in/words", b"hello\n")
    data.upload_blob("old", b"x")
    command = (
        f"cd {DATA} && cat in/words && rm old && head -c 3000000 /dev/zero > big && touch empty"
        " && mv big bigger && echo more >> in/words && echo m > $AZ_BATCHAI_OUTPUT_MODEL/m"
        " && env"
    )
    bai.run("apply", job(bai, command))
    said = bai.run("logs", "train").stdout
    assert said.startswith("hello\n")
    assert "VISION_KEY" not in said
    blobs = {blob.name: blob.size for blob in data.list_blobs()}
    [model] = [name for name in blobs if name.endswith("/outputs/m")]
    assert blobs == {"in/words": 11, "bigger": 3_000_000, "empty": 0, model: 2}
    assert data.download_blob("in/words").readall() == b"hello\nmore\n"
    # The end of the job comes after that of the mount and its cache.
    assert mounted_below(bai.folder) == []
    assert list((bai.folder / ".bai/jobs").glob("*/mounts/*-cache/*")) == []
    described = bai.run("describe", "job", "train").stdout
    assert f"azureBlob://vision/data/{model.removesuffix('/m')}" in described


READ = """
import bai
model = bai.job("train").outputs["MODEL"]
print(model, sorted(each.name for each in model.list(recursive=True)))
print(model.read("deep/m"), [each.size for each in model.list()])
with model.open("big") as file:
    print(file.seek(-3, 2), file.read(), file.read(), file.seek(2_000_000), len(file.read(7)))
for wrong in ("nothing", "../m"):
    try:
        model.read(wrong)
    except (bai.NotFoundError, bai.StorageError) as error:
        print(type(error).__name__)
print(model.download("copied"))
"""


def test_an_output_in_a_container_is_read_there(bai, azurite, data):
    account(bai, azurite)
    into = "cd $AZ_BATCHAI_OUTPUT_MODEL"
    command = f"{into} && mkdir deep && echo m > deep/m && head -c 3000000 /dev/zero > big"
    shown = bai.run("apply", job(bai, command)).stdout
    assert "model     bai storage cp -r job:train/MODEL ." in shown
    done = subprocess.run(
        [sys.executable, "-c", READ],
        cwd=bai.folder,
        env=bai.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    named, content, part, *errors, count = done.stdout.splitlines()
    assert named.startswith("azureBlob://vision/data/")
    assert named.endswith("/outputs ['big', 'deep', 'deep/m']")
    assert content == "b'm\\n' [3000000, 0]"
    assert part == rf"2999997 {bytes(3)} b'' 2000000 7"
    assert (errors, count) == (["MissingFileError", "StorageError"], "2")
    assert (bai.folder / "copied/deep/m").read_text() == "m\n"
    bai.run("storage", "cp", "-r", "job:train/MODEL", "copy")
    assert (bai.folder / "copy/big").stat().st_size == 3_000_000
    # Who has no key still learns where it is.
    del bai.environment["VISION_KEY"]
    refused = bai.run("storage", "ls", "job:train/MODEL", code=2).stderr
    assert "can't use the account vision: " in refused
    assert "azureBlob://vision/data/" in bai.run("describe", "job", "train").stdout


def test_files_that_are_cut_or_replaced_while_they_are_open_arrive(bai, azurite, data):
    account(bai, azurite)
    for name in ("cut", "closed", "over"):
        data.upload_blob(name, bytes(2000))
    script = bai.folder / "script.py"
    script.write_text(
        "import os\n"
        'os.truncate("closed", 2)\n'
        'with open("cut", "r+") as file:\n    file.truncate(3)\n'
        'with open("over") as file, open("new", "w") as new:\n    new.write("new")\n'
        '    new.flush()\n    os.replace("new", "over")\n'
    )
    bai.run("apply", job(bai, f"cd {DATA} && python3 {script}"))
    sizes = {blob.name: blob.size for blob in data.list_blobs()}
    assert sizes == {"closed": 2, "cut": 3, "over": 3}


def test_no_file_keeps_a_secret(bai, azurite, data):
    account(bai, azurite)
    bai.run("apply", job(bai, f"ls {DATA}; ps ww -C rclone -o args"))
    assert azurite.key not in (said := bai.run("logs", "train").stdout)
    assert "rclone mount" in said
    assert "sig=" not in said
    for path in (bai.folder / ".bai").rglob("*"):
        assert not path.is_file() or azurite.key.encode() not in path.read_bytes(), path


def test_the_mount_of_a_cluster_is_there_for_its_jobs(bai, azurite, data):
    account(bai, azurite)
    data.upload_blob("words", b"hello\n")
    bai.folder.joinpath("e.yaml").write_text(
        "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: test}\nspec:\n"
        "  clusters:\n    c: {scale: 2, mounts: {data: 'azureBlob://vision/data'}}\n"
        "  jobs:\n    train:\n      nodeCount: 2\n"
        "      custom: {command: 'cat $AZ_BATCHAI_MOUNT_ROOT/data/words'}\n"
    )
    bai.run("apply", "e.yaml")
    assert "hello" in bai.run("logs", "train").stdout
    assert mounted_below(bai.folder) == []


def test_the_key_of_a_spec_opens_an_account_without_one(bai, azurite, data):
    with (bai.folder / "bai.toml").open("a") as file:
        file.write(f'[contexts.test.accounts.vision]\nblob-endpoint = "{azurite.endpoint()}"\n')
    data.upload_blob("words", b"hello\n")
    spec = job(bai, f"cat {DATA}/words")
    # By default it is the variable of the old command line.
    assert "AZURE_BATCHAI_STORAGE_KEY is not set" in bai.run("apply", spec, code=2).stderr
    bai.environment["AZURE_BATCHAI_STORAGE_KEY"] = azurite.key
    bai.run("apply", spec)
    assert bai.run("logs", "train").stdout == "hello\n"


def test_a_signature_opens_an_account(bai, azurite, data):
    from azure.storage.blob import generate_container_sas

    with (bai.folder / "bai.toml").open("a") as file:
        file.write(
            f'[contexts.test.accounts.vision]\nblob-endpoint = "{azurite.endpoint()}"\n'
            'sas = "file:signature"\n'
        )
    expiry = datetime.now(UTC) + timedelta(hours=1)
    sas = generate_container_sas(
        "vision", "data", account_key=azurite.key, permission="rwdl", expiry=expiry
    )
    (bai.folder / "signature").write_text(f"?{sas}\n")
    bai.run("apply", job(bai, f"echo hello > {DATA}/words"))
    assert data.download_blob("words").readall() == b"hello\n"


@pytest.mark.parametrize(
    ("key", "name", "reason"),
    [
        ("bm8=", "data", "it refuses the key or the signature (AuthorizationFailure)"),
        ("no!", "data", "env:VISION_KEY holds no key of a storage account: it is not Base64"),
        (None, "none", "there is no such container: make it first (ContainerNotFound)"),
    ],
)
def test_what_cant_be_mounted_ends_the_job(bai, azurite, data, key, name, reason):
    account(bai, azurite, key)
    bai.run("apply", job(bai, "true", f"azureBlob://vision/{name}"), code=1)
    code, message = error(bai)
    assert code == "JobLaunchFailed"
    assert message.endswith(reason)
    assert mounted_below(bai.folder) == []


def test_a_server_that_is_gone_ends_the_job(bai):
    with served() as server:
        account(bai, server)
    bai.run("apply", job(bai, "true"), code=1)
    assert error(bai) == (
        "JobLaunchFailed",
        f"can't mount data, {server.endpoint()}/data: Connection refused",
    )


def test_what_does_not_arrive_fails_the_job(bai):
    with ExitStack() as stack:
        server = stack.enter_context(served())
        account(bai, server)
        container(server)
        ready, go = bai.folder / "ready", bai.folder / "go"
        command = f"touch {ready}; until [ -e {go} ]; do sleep 0.05; done; echo x > {DATA}/lost"
        bai.run("apply", "-d", job(bai, command))
        until(ready.exists, "the mount")
    go.touch()
    bai.run("wait", "train", code=1)
    code, message = error(bai)
    assert code == "JobUploadFailed"
    assert message.startswith("1 file that the job wrote to data, lost for one, could not be uploa")
    kept = Path(message.rpartition("kept in ")[2])
    assert (kept / "lost").read_text() == "x\n"
    assert mounted_below(bai.folder) == []


def test_a_killed_supervisor_leaves_no_mount(bai, azurite, data):
    data.upload_blob("words", b"hello\n")
    account(bai, azurite)
    _, supervisor = running(bai)
    assert len(mounted_below(bai.folder)) == 1
    os.kill(supervisor, signal.SIGKILL)
    bai.run("wait", "train", code=1)
    assert error(bai)[0] == "JobSupervisorLost"
    assert mounted_below(bai.folder) == []


def test_deleting_a_job_whose_processes_were_killed_keeps_the_blobs(bai, azurite, data):
    data.upload_blob("words", b"hello\n")
    account(bai, azurite)
    for pid in running(bai):
        os.kill(pid, signal.SIGSTOP)
    for pair in supervisors(bai.folder / ".bai").values():
        for pid in pair:
            os.kill(pid, signal.SIGKILL)
    bai.run("delete", "job", "train", "-y")
    assert mounted_below(bai.folder) == []
    assert list((bai.folder / ".bai/jobs").iterdir()) == []
    assert list(data.list_blob_names()) == ["words"]


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        ({"more": ""}, "BAI604", "the environment variable VISION_KEY is not set"),
        ({"logs": "${mounts.data}"}, "BAI508", "the job has its logs in azureBlob://vision/data"),
        ({"path": "", "way": FUSE}, "BAI508", "rclone, which mounts containers, is not installed"),
    ],
)
def test_what_is_known_before_the_run_is_a_finding(bai, azurite, tmp_path, change, code, message):
    account(bai, azurite, more=change.get("way", ""))
    spec = job(bai, "true")
    if "more" in change:
        del bai.environment["VISION_KEY"]
    if logs := change.get("logs"):
        spec.write_text(spec.read_text().replace("logs: ${mounts.r}", f"logs: {logs}"))
    if "path" in change:
        (tmp_path / "bin").mkdir()
        for name in ("bash", "sh", "env", "python3"):
            (tmp_path / "bin" / name).symlink_to(shutil.which(name))
        bai.environment["PATH"] = str(tmp_path / "bin")
    done = bai.run("diff", spec, code=2).stderr
    assert f"error {code} " in done
    assert message in " ".join(done.split())


def test_what_a_container_lacks_is_known_before_the_run(bai, azurite):
    spec = job(bai, f"ln -s a {DATA}/b")
    account(bai, azurite, more='mount = "copy"\n')
    assert "BAI522" not in bai.run("diff", spec, code=1).stderr
    text = (bai.folder / "bai.toml").read_text()
    (bai.folder / "bai.toml").write_text(text.replace('mount = "copy"\n', ""))
    said = " ".join(bai.run("diff", spec, code=1).stderr.split())
    assert "warning BAI522 the mount 'data' is a container that rclone shows" in said


def test_options_are_not_for_rclone(bai, azurite):
    account(bai, azurite)
    done = bai.run("diff", job(bai, "true", "azureBlob://vision/data?options=-o ro"), code=1)
    said = " ".join(done.stderr.split())
    assert "warning BAI510 " in said
    assert "here rclone mounts the container" in said


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to mount a tmpfs")
def test_a_folder_goes_without_what_is_mounted_in_it(tmp_path):
    from bai.runtime.mounts.mounted import remove_folder

    kept, goes = tmp_path / "kept", tmp_path / "goes"
    (goes / "a b").mkdir(parents=True)
    kept.mkdir()
    (kept / "file").touch()
    subprocess.run(["mount", "--bind", kept, goes / "a b"], check=True)
    assert mounted_below(goes) == [str(goes / "a b")]
    remove_folder(goes)
    assert not goes.exists()
    assert (kept / "file").exists()
