"""Jobs in containers that mount containers of a real account: podman, rclone and Azurite."""

import os
import signal
from uuid import uuid4

import pytest
from containing import log
from watching import supervisors, until

from bai.runtime.mounts.mounted import mounted_below
from bai.runtime.mounts.rclone import obstacle

MISSING = obstacle("containers")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(MISSING is not None, reason=": ".join(MISSING or ())),
]


@pytest.fixture
def containers(bai, image, azurite):
    """Two containers of a real account, `vision`: for a job and for its cluster."""
    from azure.storage.blob import BlobServiceClient

    with (bai.folder / "bai.toml").open("a") as file:
        file.write(
            f'[contexts.test.accounts.vision]\nblob-endpoint = "{azurite.endpoint()}"\n'
            'key = "env:VISION_KEY"\nmount = "fuse"\n'
        )
    bai.environment["VISION_KEY"] = azurite.key
    with BlobServiceClient(azurite.endpoint(), credential=azurite.key) as service:
        made = [service.create_container(f"{kind}-{uuid4().hex}") for kind in ("job", "cluster")]
        made[0].upload_blob("in/words", b"hello\n")
        made[1].upload_blob("words", b"of the cluster\n")
        yield made


def job(bai, image, containers, command):
    """Write a spec with a job in a container that mounts them at `data` and `c`."""
    own, other = (each.container_name for each in containers)
    path = bai.folder / "experiment.yaml"
    path.write_text(
        f"""\
apiVersion: bai/v1
kind: Experiment
metadata: {{name: test}}
spec:
  clusters:
    c: {{scale: 1, mounts: {{c: 'azureBlob://vision/{other}'}}}}
  jobs:
    train:
      container: '{image}'
      mounts: {{r: azureFile:r, data: 'azureBlob://vision/{own}'}}
      logs: ${{mounts.r}}
      outputs: {{MODEL: '${{mounts.data}}'}}
      preparation: cat $AZ_BATCHAI_JOB_MOUNT_ROOT/data/in/words > /prepared
      custom: {{command: '{command}'}}
"""
    )
    return path


def test_a_mount_of_a_real_account_is_there_in_the_container(bai, image, left, containers):
    command = (
        "cat /prepared; cd $AZ_BATCHAI_JOB_MOUNT_ROOT/data && cat in/words"
        " && cat $AZ_BATCHAI_MOUNT_ROOT/c/words && head -c 3000000 /dev/zero > big"
        " && echo m > $AZ_BATCHAI_OUTPUT_MODEL/m && env"
    )
    bai.run("apply", job(bai, image, containers, command))
    assert log(bai).startswith("hello\nhello\nof the cluster\n")
    assert "VISION_KEY" not in log(bai)
    blobs = {blob.name: blob.size for blob in containers[0].list_blobs()}
    [model] = [name for name in blobs if name.endswith("/outputs/m")]
    assert blobs == {"in/words": 6, "big": 3_000_000, model: 2}
    assert left() == []
    assert mounted_below(bai.folder) == []


def test_a_killed_supervisor_leaves_neither_mount_nor_container(bai, image, left, containers):
    ready = bai.folder / ".bai/storage/default/files/r/ready"
    command = "cd $AZ_BATCHAI_JOB_MOUNT_ROOT/data; touch ../r/ready; read x < /dev/zero"
    bai.run("apply", "-d", job(bai, image, containers, command))
    until(ready.exists, "the job")
    assert len(mounted_below(bai.folder)) == 2
    [(_, supervisor)] = supervisors(bai.folder / ".bai").values()
    os.kill(supervisor, signal.SIGKILL)
    bai.run("wait", "train", code=1)
    assert left() == []
    assert mounted_below(bai.folder) == []
