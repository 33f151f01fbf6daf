"""Images that lack what a job runs, with real podman."""

import os

import pytest
from containing import info, podman, small_image

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def images(podman_image, tmp_path_factory):
    """Return a function that makes an image of some programs, and returns its name."""
    _, variables = podman_image
    made = []

    def make(*programs):
        name = f"localhost/bai-test-{'-'.join(programs)}-{os.getpid()}"
        if name not in made:
            small_image(variables, tmp_path_factory.mktemp("image"), name, *programs)
            made.append(name)
        return name

    yield make
    podman(variables, "rmi", "--force", *made)


def failure(bai):
    (error,) = info(bai)["errors"]
    assert error["code"] == "JobLaunchFailed"
    assert "exitCode" not in info(bai)
    return error["message"]


def test_an_image_without_bash(bai, image, images, left):
    lacking = images("sh", "cat", "rm", "sleep")
    bai.run("apply", bai.write(bai.custom("job", "true", container=lacking)), code=1)
    assert failure(bai) == (
        f"there is no program 'bash' in the container: install it in the image {lacking}, "
        "or in the job's preparation"
    )
    assert left() == []


def test_an_image_without_a_shell(bai, image, images, left):
    lacking = images("cat")
    bai.run("apply", bai.write(bai.custom("job", "true", container=lacking)), code=1)
    message = failure(bai)
    assert message.startswith(f"can't start a container of {lacking}: ")
    assert '"sh": executable file not found in $PATH' in message
    assert message.endswith("the image needs sh, cat, rm and sleep, and bash for command lines")
    assert left() == []


HOROVOD = """\
    job:
      nodeCount: 2
      container: '{image}'
      mounts: {{r: azureFile:r, code: 'file:.'}}
      logs: ${{mounts.r}}
      horovod: {{script: '${{mounts.code}}/train.py'}}
"""


def test_an_image_without_python(bai, image, images):
    (bai.folder / "train.py").touch()
    lacking = images("sh", "bash", "cat", "rm", "sleep")
    bai.run("apply", bai.write(HOROVOD.format(image=lacking)), code=1)
    assert failure(bai).startswith("there is no program 'python' in the container: install it in ")


def test_an_image_without_horovod(bai, image):
    (bai.folder / "train.py").touch()
    bai.run("apply", bai.write(HOROVOD.format(image=image)), code=1)
    assert failure(bai).startswith(
        "Horovod is not installed for /usr/bin/python3 in the container: install it in the image "
        f"{image}, or in the job's preparation"
    )
