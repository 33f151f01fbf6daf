"""bai tensorboard: the real one, over a real request, and what it says without event files."""

import json
import signal
import urllib.request

import psutil
import pytest
from watching import until

pytest.importorskip("tensorboard")


def test_event_files_are_served_until_ctrl_c_and_nothing_is_left(bai):
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(bai.folder / "events/val") as writer:
        writer.add_scalar("loss", 0.5, 3)
    job = bai.custom(
        "train", f"cp -r {bai.folder}/events/. $AZ_BATCHAI_OUTPUT_TB", outputs='{TB: "${mounts.r}"}'
    )
    bai.run("apply", bai.write(job))
    process = bai.start("tensorboard", "train")
    try:
        line = process.stdout.readline()
        assert line.startswith("TensorBoard at http://127.0.0.1:"), process.stderr.read()
        address = line.split()[2]

        def tags():
            with urllib.request.urlopen(f"{address}data/plugin/scalars/tags") as answer:
                return json.load(answer)

        # It loads files in the background.
        assert list(until(tags, "the run")) == ["train/val"]
        started = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        _, alive = psutil.wait_procs(started, timeout=60)
        assert not alive
    finally:
        process.kill()
        process.communicate()


def test_without_event_files_it_says_how_to_get_some(bai):
    bai.run("apply", bai.write(bai.custom("train", "true")))
    said = bai.run("tensorboard", "train", code=2).stderr
    assert "there are no TensorBoard event files of job/train" in said
