"""Jobs in containers: an image made by tools/container_image.py, and what is seen of them."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

from watching import job_json, until

TOOL = Path(__file__).parents[1] / "tools/container_image.py"
_TOOL = runpy.run_path(str(TOOL))


def missing():
    """Return why there can be no containers here; None if there can."""
    return _TOOL["missing"]()


def same_python():
    """Return why packages of this interpreter are of no use in the image; None if they are."""
    if sys.version_info[:2] != _TOOL["PYTHON"]:
        return "the image has another version of Python"
    return None


def made_image():
    """Return the name of the image, which is made if need be, and the variables for podman."""
    done = subprocess.run([sys.executable, TOOL], stdout=subprocess.PIPE, text=True, check=True)
    configuration = _TOOL["configuration"](_TOOL["cache_folder"]())
    return done.stdout.strip(), {"CONTAINERS_CONF": str(configuration)}


def podman(variables, *arguments):
    """Return the output of podman."""
    return subprocess.run(
        ["podman", *arguments],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def small_image(variables, folder, name, *programs):
    """Make an image that has nothing but some programs of this machine, and their libraries."""
    podman(variables, "import", "--quiet", small_archive(folder, *programs), name)


def small_archive(folder, *programs):
    """Return the path of the archive that `small_image` makes an image of."""
    root = folder / "root"
    (root / "bin").mkdir(parents=True)
    (root / "tmp").mkdir()
    found = {}
    for program in programs:
        path = shutil.which(program)
        found[f"/bin/{program}"] = path
        needed = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
        found |= {library: library for library in re.findall(r"(/\S+) \(0x", needed)}
    for inside, path in found.items():
        target = root / inside[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return shutil.make_archive(folder / "small", "tar", root)


def containers(variables, uuid):
    """Return the names of the containers of an attempt, whatever state they are in."""
    options = ["--all", "--filter", f"label=bai.attempt={uuid}", "--format", "{{.Names}}"]
    return podman(variables, "ps", *options).split()


def uuid(bai):
    (folder,) = (bai.folder / ".bai/jobs").iterdir()
    return folder.name


def log(bai, name="stdout.txt"):
    (path,) = bai.storage.rglob(name)
    return path.read_text()


def info(bai, name="job"):
    return job_json(bai, name)["executionInfo"]


def running(bai):
    """Return the processes of the job, as this machine counts them, without podman's own."""
    marker, found = f"BAI_ATTEMPT={uuid(bai)}".encode(), []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if marker in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


WAITS = "setsid sleep 1000 & trap 'echo asked; exit 0' TERM; touch ready; while :; do sleep 1; done"
"""A command with a child that has left it, which says when it is asked to end."""


def started(bai, image, command=WAITS, **keys):
    """Start a job, and return when it runs."""
    bai.run("apply", "-d", bai.write(bai.custom("job", command, container=f"'{image}'", **keys)))
    until(lambda: list((bai.folder / ".bai").rglob("ready")), "the job")
