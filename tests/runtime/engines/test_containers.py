"""Containers on this machine: images, accounts, command lines, and how jobs in them end."""

import json
import os
import signal
from pathlib import Path

import pytest
from containing import info, log, podman, running, started, uuid
from watching import gone, job_json, until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

PODMAN = """\
#!/bin/sh
# No image is here, and the registry denies it, or takes its time.
case "$1 $2" in
"image exists") exit 1 ;;
"pull --quiet")
    echo "$@" > {folder}/arguments
    if [ -e {folder}/slow ]; then echo $$ > {folder}/pid; exec sleep 1000; fi
    cp -p "$4" {folder}/account
    echo "Error: denied" >&2
    exit 125 ;;
rm*) echo 'Error: no container with name or ID found: no such container' >&2; exit 1 ;;
esac
"""
REGISTRY = "{image: 'r.io/x:1', credentials: {username: me, password: env:REGISTRY_PASSWORD}}"


@pytest.fixture
def folder(bai, tmp_path_factory):
    """The folder with what podman was told."""
    folder = tmp_path_factory.mktemp("podman")
    program = folder / "podman"
    program.write_text(PODMAN.format(folder=folder))
    program.chmod(0o755)
    bai.environment["PATH"] = f"{folder}{os.pathsep}{bai.environment['PATH']}"
    bai.environment["REGISTRY_PASSWORD"] = "hush-hush"
    bai.context(slots=2, containers="podman")
    return folder


def test_the_password_of_a_registry_is_in_a_file_that_goes(bai, folder):
    job = bai.custom("job", "env", container=REGISTRY)
    shown = bai.run("apply", bai.write(job), code=1)
    assert "pulling the image" in shown.stdout
    (error,) = job_json(bai, "job")["executionInfo"]["errors"]
    assert error["code"] == "JobLaunchFailed"
    refused = "the registry refuses the account me: is its password right? (Error: denied)"
    assert error["message"] == f"can't pull the image r.io/x:1: {refused}"
    assert "hush-hush" not in (folder / "arguments").read_text()
    account = folder / "account"
    assert account.stat().st_mode & 0o777 == 0o600
    assert list(json.loads(account.read_text())["auths"]) == ["r.io"]
    kept = [*(bai.folder / ".bai").rglob("*")]
    assert not [path for path in kept if path.name == "config.json"]
    for path in kept:
        assert not path.is_file() or b"hush-hush" not in path.read_bytes(), path


def test_a_job_is_cancelled_while_its_image_is_pulled(bai, folder):
    (folder / "slow").touch()
    bai.run("apply", "-d", bai.write(bai.custom("job", "true", container="r.io/x:1")))
    until(lambda: (folder / "pid").exists() and (folder / "pid").read_text().strip(), "the pull")
    bai.run("cancel", "job")
    bai.run("wait", "job", code=1)
    assert job_json(bai, "job")["executionInfo"]["errors"][0]["code"] == "JobTerminated"
    assert gone(int((folder / "pid").read_text()))


def test_no_value_of_a_variable_is_in_a_command_line(bai, image):
    bai.environment["SOURCE"] = "hush-hush"
    spec = bai.write(
        bai.custom(
            "job",
            "touch ready; read x < /dev/zero",
            container=f"'{image}'",
            secrets="{SECRET: env:SOURCE}",
            environment="{PLAIN: in-plain-sight}",
        )
    )
    bai.run("apply", "-d", spec)
    until(lambda: list((bai.folder / ".bai").rglob("ready")), "the job")
    lines = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            lines.append((folder / "cmdline").read_bytes())
        except OSError:
            continue
    assert any(uuid(bai).encode() in line for line in lines)
    assert not [line for line in lines if b"hush-hush" in line or b"in-plain-sight" in line]
    bai.run("cancel", "job")


def test_the_preparation_that_fails(bai, image, left):
    job = bai.custom("job", "true", container=f"'{image}'", preparation="exit 5")
    bai.run("apply", bai.write(job), code=1)
    (error,) = info(bai)["errors"]
    assert (error["code"], info(bai)["exitCode"]) == ("JobPreparationFailed", 5)
    assert left() == []


def test_the_time_limit(bai, image, left):
    job = bai.custom("job", "sleep 1000", container=f"'{image}'", timeLimit="3s")
    bai.run("apply", bai.write(job), code=1)
    assert info(bai)["errors"][0]["code"] == "JobTimedOut"
    assert left() == []


def test_a_stopped_process_is_reported(bai, image):
    started(bai, image, "touch ready; exec sleep 1000")
    until(lambda: [pid for pid in running(bai) if command_line(pid) == "sleep 1000"], "sleep")
    (pid,) = (pid for pid in running(bai) if command_line(pid) == "sleep 1000")
    os.kill(pid, signal.SIGSTOP)
    until(lambda: "stopped" in bai.run("describe", "job", "job").stdout, "the note")
    bai.run("cancel", "job")


def command_line(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        return ""


def test_an_image_in_place_of_another_one(bai, image):
    name = "tensorflow/tensorflow:1.8.0-gpu"
    bai.context(slots=2, containers="podman", images={name: image})
    spec = bai.write(bai.custom("job", "echo it runs", container=name))
    note = f"note: job job: image {name} -> {image}, by images in bai.toml"
    assert note in bai.run("diff", spec, code=1).stdout
    shown = json.loads(bai.run("compile", spec, "--submission").stdout)
    assert f'"image": "{image}"' in json.dumps(shown)
    assert note in bai.run("apply", spec).stdout
    assert log(bai) == "it runs\n"


def test_an_image_that_is_built(bai, image, podman_image):
    _, variables = podman_image
    (bai.folder / "Containerfile").write_text(f"FROM {image}\nENV BUILT=yes\nRUN touch /built\n")
    built = f"localhost/bai-test-{os.getpid()}"
    podman(variables, "build", "--quiet", "--isolation", "chroot", "-t", built, str(bai.folder))
    try:
        bai.run("apply", bai.write(bai.custom("job", "ls /built; echo $BUILT", container=built)))
        assert log(bai) == "/built\nyes\n"
    finally:
        podman(variables, "rmi", "--force", built)


def test_an_image_that_is_not_there(bai, image):
    found = bai.run(
        "diff", bai.write(bai.custom("job", "true", container="localhost/none:1")), code=2
    )
    assert "BAI803 there is no image localhost/none:1 on this machine" in found.stderr
    assert "podman build -t localhost/none:1 FOLDER" in found.stderr


def test_an_image_that_can_not_be_pulled(bai, image, left):
    """Nothing listens on that port."""
    job = bai.custom("job", "true", container="'localhost:1/none:1'")
    bai.run("apply", bai.write(job), code=1)
    (error,) = info(bai)["errors"]
    assert error["code"] == "JobLaunchFailed"
    assert error["message"].startswith("can't pull the image localhost:1/none:1: ")
    assert left() == []


def test_ranks_under_mpirun(bai, image):
    spec = bai.write(
        f"""\
    job:
      nodeCount: 2
      container: '{image}'
      mounts: {{r: azureFile:r}}
      logs: ${{mounts.r}}
      customMpi: {{command: 'echo rank $OMPI_COMM_WORLD_RANK', processCount: 2}}
"""
    )
    bai.run("apply", spec)
    lines = sorted(log(bai).splitlines())
    assert lines == ["[0]<stdout>: rank 0", "[1]<stdout>: rank 1"]
