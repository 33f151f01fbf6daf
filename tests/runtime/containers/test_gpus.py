"""GPUs in containers by CDI, with real podman. A GPU is a device here that is /dev/null."""

import json
import os

import pytest
from containing import info, log

from bai.runtime.node.gpus import gpu_count

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

EDITS = {"deviceNodes": [{"path": "/dev/nvidia0", "type": "c", "major": 1, "minor": 3}]}
DEVICES = {
    "cdiVersion": "0.5.0",
    "kind": "nvidia.com/gpu",
    "devices": [{"name": "all", "containerEdits": EDITS}],
}
PRIVATE = """\
set -e
mount -t overlay -o lowerdir=$1/dev:/dev overlay $1/over
for each in pts shm; do mount --rbind /dev/$each $1/over/$each; done
mount --move $1/over /dev
mount -t overlay -o lowerdir=$1/etc:/etc overlay /etc
shift
exec "$@"
"""
"""Runs a command that sees files in folders of its own as a part of /dev and /etc."""


@pytest.fixture
def gpu(bai, image, tmp_path_factory):
    """bai on a machine with a GPU; the folder in which podman looks for devices."""
    if gpu_count():
        pytest.skip("this machine has a GPU of its own")
    folder = tmp_path_factory.mktemp("machine")
    for name in ("dev", "etc/cdi", "over"):
        (folder / name).mkdir(parents=True)
    os.mknod(folder / "dev/nvidia0", 0o20666, os.makedev(1, 3))
    bai.command = ["unshare", "--mount", "sh", "-c", PRIVATE, "sh", str(folder), *bai.command]
    return folder / "etc/cdi"


COMMAND = "echo $AZ_BATCHAI_NUM_GPUS && ls /dev/nvidia0 && echo lost > /dev/nvidia0"


def test_a_gpu_is_there_in_the_container(bai, image, gpu):
    (gpu / "nvidia.json").write_text(json.dumps(DEVICES))
    bai.run("apply", bai.write(bai.custom("job", COMMAND, container=f"'{image}'")))
    assert log(bai) == "1\n/dev/nvidia0\n"


def test_a_gpu_that_podman_does_not_know(bai, image, gpu):
    bai.run("apply", bai.write(bai.custom("job", COMMAND, container=f"'{image}'")), code=1)
    (error,) = info(bai)["errors"]
    assert error["code"] == "JobLaunchFailed"
    assert "unresolvable CDI devices nvidia.com/gpu=all" in error["message"]
    assert error["message"].endswith("nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml")
