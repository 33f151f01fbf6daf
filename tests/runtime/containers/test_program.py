"""Command lines of podman and docker, names of images, and the file with an account."""

import base64
import json
from pathlib import PurePath

import pytest

from bai.runtime.containers.images import account_file, full_name, pulled_name, registry_of
from bai.runtime.containers.program import Bind, ContainerProgram
from bai.runtime.containers.settings import container_settings

PODMAN, DOCKER = ContainerProgram("podman"), ContainerProgram("/usr/bin/docker")


def started(program, **more):
    given = {"user": "0:0", "variables": ["MARK"], "shm_size": None, "gpus": False} | more
    binds = [Bind("/a b"), Bind("/in", "/out", read_only=True)]
    return program.run("name", "image:1", ["sh", "-c", "x"], binds, "uuid", **given)


@pytest.mark.parametrize("program", [PODMAN, DOCKER])
def test_a_container_is_started(program):
    found = started(program, shm_size="8g")
    assert found[:2] == [program.name, "run"]
    assert found[-5:] == ["--entrypoint", "sh", "image:1", "-c", "x"]
    words = " ".join(found)
    assert "--mount type=bind,source=/a b,target=/a b" in words
    assert "--mount type=bind,source=/out,target=/in,readonly" in words
    # Its value comes from the environment.
    assert "--env MARK " in words
    assert "--shm-size 8g" in words


def test_gpus():
    assert "--device nvidia.com/gpu=all" in " ".join(started(PODMAN, gpus=True))
    assert "--gpus all" in " ".join(started(DOCKER, gpus=True))
    assert "gpu" not in " ".join(started(PODMAN))


def test_an_account_is_no_argument():
    folder = PurePath("/run/account")
    pull = PODMAN.pull("r.io/x", folder)
    assert pull == ["podman", "pull", "--quiet", "--authfile", "/run/account/config.json", "r.io/x"]
    pull = DOCKER.pull("r.io/x", folder)
    assert pull[1:] == ["--config", "/run/account", "pull", "--quiet", "r.io/x"]


@pytest.mark.parametrize(
    ("image", "server", "keys"),
    [
        ("me.azurecr.io/x:1", None, ["me.azurecr.io"]),
        ("me.azurecr.io/x:1", "me.azurecr.io/", ["me.azurecr.io"]),
        ("docker.io/me/x", None, ["docker.io", "https://index.docker.io/v1/"]),
    ],
)
def test_the_file_with_an_account(image, server, keys):
    found = json.loads(account_file(image, server, "me", "pass:word"))["auths"]
    assert list(found) == keys
    assert {base64.b64decode(each["auth"]) for each in found.values()} == {b"me:pass:word"}


@pytest.mark.parametrize(
    ("image", "registry", "pulled"),
    [
        ("ubuntu", None, "docker.io/library/ubuntu"),
        ("ubuntu:22.04", None, "docker.io/library/ubuntu:22.04"),
        ("tensorflow/tensorflow:1.8.0-gpu", None, "docker.io/tensorflow/tensorflow:1.8.0-gpu"),
        ("localhost/x", "localhost", "localhost/x"),
        ("localhost:5000/x", "localhost:5000", "localhost:5000/x"),
        ("me.azurecr.io/a/b@sha256:00", "me.azurecr.io", "me.azurecr.io/a/b@sha256:00"),
    ],
)
def test_names_of_images(image, registry, pulled):
    assert registry_of(image) == registry
    assert pulled_name(image) == pulled
    assert full_name(image, "r.io") == (image if registry else f"r.io/{image}")


def test_an_image_in_place_of_another_one_is_pulled_without_the_account():
    registry = {
        "image": "x:1",
        "serverUrl": "https://r.io",
        "credentials": {"username": "me", "password": "<secret env:P>"},
    }
    properties = {"containerSettings": {"imageSourceRegistry": registry, "shmSize": "8g"}}
    own = container_settings(properties, "podman", {})
    assert (own.image, own.server, own.username) == ("r.io/x:1", "r.io", "me")
    other = container_settings(properties, "podman", {"x:1": "localhost/y"})
    assert (other.image, other.wanted) == ("localhost/y", "x:1")
    assert (other.server, other.username, other.shm_size) == (None, None, "8g")
    assert container_settings({}, "podman", {}) is None


def test_what_a_program_says_that_does_not_work():
    assert PODMAN.trouble(1, "") == ""
    assert PODMAN.trouble(125, "x\nError: no space") == "Error: no space"
    assert DOCKER.trouble(1, "Error: No such image: x") == ""
    assert DOCKER.trouble(1, "Cannot connect to the Docker daemon") != ""
    assert PODMAN.is_absent('Error: no container with name or ID "x" found')
    assert DOCKER.is_absent("Error: No such container: x")
    assert DOCKER.is_absent("Error: removal of container x is already in progress")
    assert not DOCKER.is_absent("Cannot connect to the Docker daemon")
