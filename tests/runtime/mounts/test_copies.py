"""Jobs that have a copy of a container, which is brought back after them, on Azurite."""

import os
import shutil
import signal
import socket
import threading
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from azure.storage.blob import generate_container_sas
from azurite import served
from blob_jobs import DATA, account, container, error, job, running
from watching import gone, until

from bai.runtime.mounts.copies import Order
from bai.runtime.mounts.staging import Staging

COPY = 'mount = "copy"\n'


@pytest.fixture
def data(azurite):
    """A container, which is empty."""
    return container(azurite)


def copies(bai):
    """Return what is left of copies."""
    return list((bai.folder / ".bai/jobs").glob("*/mounts/*-cache/*"))


def test_a_job_reads_and_writes_a_copy(bai, azurite, data):
    account(bai, azurite, more=COPY)
    data.upload_blob("in/words", b"hello\n")
    data.upload_blob("old", b"x")
    data.upload_blob("kept", b"y")
    before = data.get_blob_client("kept").get_blob_properties().etag
    command = (
        f"cd {DATA} && cat in/words && rm old && head -c 9000000 /dev/zero > big && touch empty"
        " && mv big bigger && echo more >> in/words && chmod 600 kept && ln -s kept link"
        " && mkdir none && echo m > $AZ_BATCHAI_OUTPUT_MODEL/m"
    )
    said = bai.run("apply", job(bai, command)).stdout
    note = "azureBlob://vision/data is copied to this machine, and back after the job"
    assert f'job train: {note}: mount = "copy" in bai.toml' in " ".join(said.split())
    assert bai.run("logs", "train").stdout == "hello\n"
    blobs = {blob.name: blob for blob in data.list_blobs()}
    [model] = [name for name in blobs if name.endswith("/outputs/m")]
    sizes = {name: blob.size for name, blob in blobs.items()}
    new = {"in/words": 11, "bigger": 9_000_000, "empty": 0, "link": 1, model: 2}
    assert sizes == {"kept": 1, **new}
    assert blobs["kept"].etag.strip('"') == before.strip('"')
    # The second block is there as well.
    assert blobs["bigger"].content_settings.content_md5
    assert data.download_blob("in/words").readall() == b"hello\nmore\n"
    assert copies(bai) == []


def test_a_container_is_copied_where_nothing_mounts_it(bai, azurite, data, tmp_path):
    (tmp_path / "bin").mkdir()
    for name in ("bash", "sh", "env", "python3", "cat"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    account(bai, azurite)
    data.upload_blob("words", b"hello\n")
    bai.environment["PATH"] = str(tmp_path / "bin")
    said = bai.run("apply", job(bai, f"cat {DATA}/words")).stdout
    assert "rclone, which mounts containers, is not installed" in " ".join(said.split())
    assert bai.run("logs", "train").stdout == "hello\n"


def test_the_copy_of_a_cluster_s_mount_is_brought_back(bai, azurite, data):
    account(bai, azurite, more=COPY)
    bai.folder.joinpath("e.yaml").write_text(
        "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: test}\nspec:\n"
        "  clusters:\n    c: {scale: 2, mounts: {data: 'azureBlob://vision/data'}}\n"
        "  jobs:\n    train:\n      nodeCount: 2\n"
        "      custom: {command: 'echo hello > $AZ_BATCHAI_MOUNT_ROOT/data/words'}\n"
    )
    bai.run("apply", "e.yaml")
    assert data.download_blob("words").readall() == b"hello\n"


def test_what_another_one_wrote_meanwhile_stays(bai, azurite, data):
    account(bai, azurite, more=COPY)
    data.upload_blob("ours", b"1")
    data.upload_blob("theirs", b"1")
    ready, go = bai.folder / "ready", bai.folder / "go"
    command = f"cd {DATA}; rm ours theirs; touch {ready}; until [ -e {go} ]; do sleep 0.05; done"
    bai.run("apply", "-d", job(bai, command))
    until(ready.exists, "the job")
    changed = data.get_blob_client("theirs").get_blob_properties().last_modified
    while data.get_blob_client("theirs").get_blob_properties().last_modified == changed:
        # The service counts whole seconds.
        data.upload_blob("theirs", b"2", overwrite=True)
    go.touch()
    bai.run("wait", "train")
    assert list(data.list_blob_names()) == ["theirs"]


def test_what_does_not_arrive_fails_the_job(bai):
    with ExitStack() as stack:
        server = stack.enter_context(served())
        account(bai, server, more=COPY)
        container(server)
        ready, go = bai.folder / "ready", bai.folder / "go"
        command = f"touch {ready}; until [ -e {go} ]; do sleep 0.05; done; echo x > {DATA}/lost"
        bai.run("apply", "-d", job(bai, command))
        until(ready.exists, "the copy")
    go.touch()
    bai.run("wait", "train", code=1)
    code, message = error(bai)
    assert code == "JobUploadFailed"
    assert message.startswith("1 file that the job wrote to data, lost for one, could not be uploa")
    kept = Path(message.rpartition("kept in ")[2])
    assert (kept / "lost").read_text() == "x\n"


def test_what_no_blob_can_be_fails_the_job(bai, azurite, data):
    account(bai, azurite, more=COPY)
    bai.run("apply", job(bai, f"cd {DATA}; mkfifo pipe; echo x > file"), code=1)
    code, message = error(bai)
    assert code == "JobUploadFailed"
    assert ", pipe for one, could not be uploaded" in message
    assert "a named pipe; kept in" in message
    assert list(data.list_blob_names()) == ["file"]


@pytest.mark.parametrize(
    ("key", "blob", "name", "reason"),
    [
        ("bm8=", None, "data", "it refuses the key or the signature (AuthorizationFailure)"),
        (None, None, "none", "there is no such container: make it first (ContainerNotFound)"),
        (None, "a//b", "data", "can't be a file of this machine: its name is no path of a file"),
    ],
)
def test_what_cant_be_copied_ends_the_job(bai, azurite, data, key, blob, name, reason):
    account(bai, azurite, key, more=COPY)
    if blob:
        data.upload_blob(blob, b"x")
    bai.run("apply", job(bai, "true", f"azureBlob://vision/{name}"), code=1)
    code, message = error(bai)
    assert code == "JobLaunchFailed"
    assert message.endswith(reason)
    assert copies(bai) == []


def test_a_container_larger_than_the_disk_is_not_copied(azurite, data, small):
    data.upload_blob("large", bytes(3_000_000))
    sas = generate_container_sas(
        "vision",
        "data",
        account_key=azurite.key,
        permission="rl",
        expiry=datetime.now(UTC) + timedelta(hours=1),
    )
    folder, record = small / "files", small / "record.json"
    order = Order("data", data.url, sas, str(folder), str(record), is_back=False)
    why = Staging(order).fetch()
    assert why.startswith(f"it has 3.0 MB, and the disk of {folder} 1.0 MB left")
    assert list(folder.iterdir()) == []


def test_a_killed_supervisor_changes_no_blob(bai, azurite, data):
    account(bai, azurite, more=COPY)
    data.upload_blob("words", b"hello\n")
    guardian, supervisor = running(bai)
    os.kill(supervisor, signal.SIGKILL)
    assert gone(guardian)
    bai.run("wait", "train", code=1)
    assert error(bai)[0] == "JobSupervisorLost"
    assert list(data.list_blob_names()) == ["words"]


def test_a_job_in_a_container_has_a_copy(bai, azurite, data, image):
    account(bai, azurite)
    data.upload_blob("words", b"hello\n")
    spec = job(bai, f"cat {DATA}/words; echo more > {DATA}/new")
    text = spec.read_text().replace("      logs:", f"      container: {image}\n      logs:")
    spec.write_text(text)
    said = bai.run("apply", spec).stdout
    assert "the job runs in a container" in " ".join(said.split())
    assert bai.run("logs", "train").stdout == "hello\n"
    assert data.download_blob("new").readall() == b"more\n"


@contextmanager
def stalling(azurite):
    """Serve Azurite's first connection, and leave all others without an answer."""
    host, port = azurite.url.removeprefix("http://").split(":")
    held = []

    def forward(source, target):
        # Either side may go away, and the other one hears of it.
        with suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def serve():
        first, _ = listening.accept()
        with first, socket.create_connection((host, int(port))) as there:
            threading.Thread(target=forward, args=(first, there), daemon=True).start()
            forward(there, first)
        while True:
            try:
                held.append(listening.accept()[0])
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        try:
            yield replace(azurite, url=url), held
        finally:
            # What is waited for there ends.
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()
            for each in held:
                each.close()


def test_a_copy_that_does_not_go_on_is_cancelled(bai, azurite, data):
    data.upload_blob("words", b"hello\n")
    with stalling(azurite) as (server, held):
        account(bai, server, more=COPY)
        bai.run("apply", "-d", job(bai, "true"))
        until(lambda: held, "the copy")
        bai.run("cancel", "train")
        # The library would wait three minutes for an answer, longer than this does.
        bai.run("wait", "train", code=1)
    [attempt] = (bai.folder / ".bai/jobs").iterdir()
    assert not list(attempt.glob("mounts/job/data"))
    assert list(data.list_blob_names()) == ["words"]
