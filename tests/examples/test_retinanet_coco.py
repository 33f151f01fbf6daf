"""The detection example trains for real, with a killed rank as well, and under its own mpirun."""

import json
import os
import re
import signal
import struct
from pathlib import Path

import psutil
import pytest
from watching import until

FOLDER = Path(__file__).parents[2] / "examples/retinanet-coco"
EPOCH = re.compile(
    r"epoch +(\d+)  loss [\d.]+  mAP ([\d.]+)  mAP50 [\d.]+  (\d+) images seen", re.MULTILINE
)
IDENTICAL = re.compile(r"weights are identical on all 2 ranks: [0-9a-f]{16}$", re.MULTILINE)

pytestmark = pytest.mark.horovod


@pytest.fixture(autouse=True)
def needs_packages():
    """Skip where what the example imports is missing."""
    for name in ("torch", "horovod", "pycocotools", "PIL", "tensorboardX"):
        pytest.importorskip(name)


def epochs(output):
    """Return (epoch, mAP, images seen) of each line of an epoch."""
    return [(int(n), float(mean), int(seen)) for n, mean, seen in EPOCH.findall(output)]


def outputs(bai):
    """Return the folders of the outputs of all attempts."""
    share = bai.storage / "default/files/batchaicoco"
    return sorted(share.glob("*/*/workspaces/*/experiments/*/jobs/detect/*/outputs"))


def scalars(path):
    """Return tag -> steps of a file of TensorBoard events."""
    from tensorboardX.proto.event_pb2 import Event

    data, found = path.read_bytes(), {}
    while data:
        (length,) = struct.unpack_from("<Q", data)
        event = Event.FromString(data[12 : 12 + length])
        for value in event.summary.value:
            found.setdefault(value.tag, []).append(event.step)
        data = data[16 + length :]
    return found


def test_it_learns_to_detect(bai):
    """On two nodes that their setup task has prepared, with a number of images that is odd."""
    bai.context(slots=2, setup_task="run")
    done = bai.run("apply", FOLDER / "experiment.yaml", "-p", "epochs=6", "-p", "images=601")
    assert "job/detect succeeded" in done.stdout
    assert IDENTICAL.search(done.stdout)
    found = epochs(done.stdout)
    assert [(epoch, seen) for epoch, _, seen in found] == [(n, 601) for n in range(1, 7)]
    assert found[-1][1] > 0.3

    share = bai.storage / "default/files/batchaicoco"
    setup = sorted(share.glob("*/*/workspaces/*/clusters/nc24/*/stdout-node-*.txt"))
    assert [path.name for path in setup] == ["stdout-node-0.txt", "stdout-node-1.txt"]
    assert all("pycocotools" in path.read_text() for path in setup)
    container = bai.storage / "default/blobs/coco"
    assert len(list((container / "images/train2017").glob("*.jpg"))) == 601
    assert json.loads((container / "annotations/instances_val.json").read_text())["annotations"]

    (output,) = outputs(bai)
    assert [path.name for path in (output / "checkpoints").iterdir()] == ["epoch-00006"]
    (events,) = (output / "tensorboard").iterdir()
    steps = list(range(1, 7))
    assert scalars(events) == dict.fromkeys(("loss", "mAP", "mAP50", "images_per_second"), steps)


def test_it_goes_on_after_a_kill(bai):
    spec = [FOLDER / "experiment.yaml", "-p", "epochs=4", "-p", "images=400"]
    bai.run("apply", "--detach", *spec)
    until(lambda: [f for o in outputs(bai) for f in o.glob("checkpoints/epoch-*")], "a checkpoint")
    os.kill(a_rank(bai), signal.SIGKILL)
    bai.run("wait", "detect", code=1)
    before = epochs(bai.run("logs", "detect").stdout)
    assert 1 <= len(before) < 4

    done = bai.run("apply", "--rerun", *spec)
    assert IDENTICAL.search(done.stdout)
    behind = int(re.search(r"goes on behind epoch (\d) of an earlier attempt", done.stdout)[1])
    # A checkpoint may be there whose line was not printed yet.
    assert behind >= before[-1][0]
    assert [epoch for epoch, _, _ in epochs(done.stdout)] == list(range(behind + 1, 5))


def a_rank(bai):
    """Return the process id of a rank that trains."""
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if any(word.startswith(str(bai.folder)) and word.endswith("/train.py") for word in words):
            return process.pid
    return pytest.fail("no rank runs")


def test_it_trains_under_its_own_mpirun(bai, needs_mpirun):
    """As a customToolkit job, over the hosts of $AZ_BATCHAI_MPI_HOST_FILE."""
    mpi = pytest.importorskip("horovod.torch")
    if not mpi.mpi_built():
        pytest.skip("this Horovod was built without MPI")
    done = bai.run("apply", FOLDER / "mpirun.yaml", "-p", "epochs=1", "-p", "images=101")
    assert "2 ranks, 101 + 100 images" in done.stdout
    assert [(epoch, seen) for epoch, _, seen in epochs(done.stdout)] == [(1, 101)]
    assert IDENTICAL.search(done.stdout)
