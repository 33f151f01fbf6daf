"""The container image of the ImageNet example is built, and trains in two containers.

Its base image has Python and Open MPI, and sees the PyTorch of this environment: the Dockerfile
installs what is missing, Horovod's wheel and bai.
"""

import json
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from containing import containers, podman, same_python, uuid

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/resnet50-imagenet"
BASE_PACKAGES = "/usr/local/lib/python3.11/dist-packages"
OWN = ("bai", "horovod", "__editable__")

pytestmark = [pytest.mark.horovod, pytest.mark.timeout(900)]

pytest.importorskip("PIL")
pytest.importorskip("torch")


def packages(folder):
    """Make links to the packages of this environment, without Horovod and bai."""
    site = Path(metadata.distribution("torch").locate_file("")).resolve()
    folder.mkdir()
    for path in site.iterdir():
        if not path.name.startswith(OWN) and path.suffix != ".pth":
            (folder / path.name).symlink_to(path)
    return site


def horovod_wheel():
    """Return the wheel of Horovod that this environment has, or skip."""
    tool = [sys.executable, ROOT / "tools/horovod_wheel.py", "--with", "torch"]
    done = subprocess.run(tool, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"there is no wheel of Horovod: {done.stderr.strip()}")
    return Path(done.stdout.strip())


@pytest.fixture
def built(podman_image, bai, tmp_path_factory):
    """The image of the example; podman and bai have variables to use it with."""
    if reason := same_python():
        pytest.skip(reason)
    base, variables = podman_image
    wheel, folder = horovod_wheel(), tmp_path_factory.mktemp("built")
    site = packages(folder / "packages")
    binds = [f"{site}:{site}:ro", f"{folder / 'packages'}:{BASE_PACKAGES}:ro"]
    configuration = Path(variables["CONTAINERS_CONF"]).read_text()
    assert configuration.count("[containers]\n") == 1
    seen = f"[containers]\nvolumes = {json.dumps(binds)}\n"
    (folder / "containers.conf").write_text(configuration.replace("[containers]\n", seen))
    variables = variables | {"CONTAINERS_CONF": str(folder / "containers.conf")}
    arguments = {
        "BASE": base,
        "REQUIREMENT": f"torch=={metadata.version('torch')}",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": "/wheels",
    }
    name = f"localhost/bai-test-imagenet:{os.getpid()}"
    options = [word for pair in arguments.items() for word in ("--build-arg", "=".join(pair))]
    options += ["--isolation", "chroot", "--layers=false", "--volume", f"{wheel.parent}:/wheels:ro"]
    options += [word for bind in binds for word in ("--volume", bind)]
    podman(variables, "build", *options, "-f", str(FOLDER / "Dockerfile"), "-t", name, str(ROOT))
    bai.environment |= variables
    bai.context(slots=2, containers="podman")
    yield name
    podman(variables, "rmi", "--force", name)


def test_the_image_is_built_and_trains_on_two_nodes(bai, built, podman_image):
    spec = bai.write(
        f"""\
    train:
      nodeCount: 2
      container: '{built}'
      code: {FOLDER}
      mounts: {{results: azureFile:results}}
      logs: ${{mounts.results}}
      outputs: {{MODEL: '${{mounts.results}}'}}
      environment: {{OMP_NUM_THREADS: 1}}
      horovod:
        script: train_torch.py
        args: >-
          --data synthetic --synthetic-images 61 --image-size 32 --batch-size 16 --epochs 1
          --checkpoints ${{mounts.results}}/checkpoints
"""
    )
    process = bai.start("apply", spec)
    output, errors = process.communicate()
    assert process.returncode == 0, output + errors
    assert re.search(r"epoch 1 of 1 .* 61 images seen once", output), output
    assert re.search(r"weights are identical on all 2 ranks: [0-9a-f]{16}\n", output)
    assert len(list(bai.storage.rglob("outputs/model.pt"))) == 1
    assert containers(podman_image[1], uuid(bai)) == []
