"""Images of a registry that asks for an account, with real podman and a real registry."""

import os
import re
import subprocess

import pytest
from containing import info, log, podman, small_image

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

CONFIGURATION = """\
version: 0.1
log: {{level: info, formatter: text}}
storage: {{filesystem: {{rootdirectory: {folder}/images}}}}
http: {{addr: "127.0.0.1:0"}}
auth: {{htpasswd: {{realm: test, path: {folder}/accounts}}}}
"""
ACCOUNTS = "ada:$2b$05$2sRGGyxBRY7sxlrU1MK2huA6Z4zGoquV2ZpcxzzIlihb.Yp.hqi3a\n"
PASSWORD = "hush hush"
INSECURE = '[[registry]]\nlocation = "{address}"\ninsecure = true\n'
PROGRAMS = ("sh", "bash", "cat", "rm", "sleep")


@pytest.fixture(scope="module")
def registry(podman_image, tmp_path_factory):
    """The name of an image in a registry on loopback, and the variables for podman."""
    from shutil import which

    if not which("docker-registry"):
        pytest.skip("docker-registry is not installed (apt install docker-registry)")
    folder = tmp_path_factory.mktemp("registry")
    (folder / "accounts").write_text(ACCOUNTS)
    (folder / "registry.yml").write_text(CONFIGURATION.format(folder=folder))
    command = ["docker-registry", "serve", folder / "registry.yml"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            said = []
            # The pipe ends if the registry does.
            for line in process.stderr:
                said.append(line)
                if found := re.search(r"listening on (127.0.0.1:\d+)", line):
                    yield served(found[1], folder, podman_image[1])
                    break
            else:
                pytest.fail(f"the registry does not start: {''.join(said)}")
        finally:
            process.kill()


def served(address, folder, variables):
    """Push an image, and return its name and the variables for podman."""
    (folder / "registries.conf").write_text(INSECURE.format(address=address))
    variables = variables | {"CONTAINERS_REGISTRIES_CONF": str(folder / "registries.conf")}
    name = f"{address}/test/small:{os.getpid()}"
    small_image(variables, folder, name, *PROGRAMS)
    podman(variables, "push", "--quiet", f"--creds=ada:{PASSWORD}", name)
    podman(variables, "rmi", name)
    return name, variables


@pytest.fixture
def remote(registry, bai):
    """The image's name; it is not on this machine."""
    name, variables = registry
    bai.environment |= variables | {"REGISTRY_PASSWORD": PASSWORD}
    bai.context(slots=2, containers="podman")
    yield name
    podman(variables, "rmi", "--force", "--ignore", name)


def test_an_image_is_pulled_with_an_account(bai, remote):
    image = (
        f"{{image: '{remote}', credentials: {{username: ada, password: env:REGISTRY_PASSWORD}}}}"
    )
    shown = bai.run("apply", bai.write(bai.custom("job", "echo it runs", container=image)))
    assert "pulling the image" in shown.stdout
    assert log(bai) == "it runs\n"


@pytest.mark.parametrize(
    ("username", "password", "tag", "said"),
    [
        ("ada", "wrong", "", "the registry refuses the account ada: is its password right?"),
        (None, "", "", "the registry asks for an account: add credentials to the image"),
        ("ada", PASSWORD, "-none", "the registry has no such image"),
    ],
)
def test_an_image_that_the_registry_does_not_give(bai, remote, username, password, tag, said):
    bai.environment["REGISTRY_PASSWORD"] = password
    account = f", credentials: {{username: {username}, password: env:REGISTRY_PASSWORD}}"
    image = f"{{image: '{remote}{tag}'{account if username else ''}}}"
    bai.run("apply", bai.write(bai.custom("job", "true", container=image)), code=1)
    (error,) = info(bai)["errors"]
    assert error["code"] == "JobLaunchFailed"
    assert error["message"].startswith(f"can't pull the image {remote}{tag}: {said} (")
    assert not password or password not in error["message"]
