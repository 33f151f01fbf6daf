"""Make the container image that the tests run jobs in, once, and print its name.

    python tools/container_image.py

No registry is needed: debootstrap makes a Debian from packages, with Python and Open MPI, and
podman imports it. The archive is kept in `${XDG_CACHE_HOME:-~/.cache}/bai/containers/KEY/`, where
KEY stands for everything that it depends on. Needs root, podman, runc and debootstrap.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SUITE = "bookworm"
PYTHON = (3, 11)
"""The version of Python that the suite has."""

PACKAGES = ["python3", "openmpi-bin"]
"""What a small Debian lacks: Horovod with MPI needs the libraries of Open MPI."""

CONFIGURATION = """\
# For machines without systemd, and for kernels on which crun does not work.
[containers]
default_ulimits = []
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
"""
"""What the tests run podman with, by CONTAINERS_CONF."""


def main() -> int:
    """Print the name of the image, after making it if need be."""
    if reason := missing():
        sys.exit(f"error: {reason}")
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        # A second process waits here for the first.
        fcntl.flock(lock, fcntl.LOCK_EX)
        configuration(folder)
        archive = folder / "root.tar"
        if not archive.exists():
            begun = time.monotonic()
            make(archive)
            print(f"made a Debian in {time.monotonic() - begun:.0f} s", file=sys.stderr)
        if podman(folder, "image", "exists", image(), check=False).returncode:
            podman(folder, "import", "--quiet", str(archive), image())
    print(image())
    return 0


def missing() -> str | None:
    """Return why there can be no image here; None if there can."""
    if os.geteuid() != 0:
        return "debootstrap needs root"
    for program in ("podman", "runc", "debootstrap"):
        if not shutil.which(program):
            return f"{program} is not installed (apt install {program})"
    return None


def image() -> str:
    """Return the name of the image."""
    return f"localhost/bai-test:{key()}"


def key() -> str:
    """Return what stands for everything that the image depends on."""
    parts = [SUITE, platform.machine(), *PACKAGES]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder that the archive is kept in."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base, "bai", "containers", key())


def configuration(folder: Path) -> Path:
    """Write the file for CONTAINERS_CONF into a folder, and return its path."""
    path = folder / "containers.conf"
    if not path.exists() or path.read_text() != CONFIGURATION:
        path.write_text(CONFIGURATION)
    return path


def make(archive: Path) -> None:
    """Make a Debian, and an archive of it, whole or not at all."""
    log = archive.with_suffix(".log")
    with tempfile.TemporaryDirectory(dir=archive.parent) as root, log.open("w") as output:
        packages = f"--include={','.join(PACKAGES)}"
        command = ["debootstrap", "--variant=minbase", packages, SUITE, root]
        if subprocess.run(command, stdout=output, stderr=output, check=False).returncode:
            sys.exit(f"error: debootstrap failed: see {log}")
        shutil.rmtree(Path(root, "var/cache/apt/archives"))
        made = archive.with_suffix(".new")
        subprocess.run(["tar", "--create", "--directory", root, "--file", made, "."], check=True)
        made.replace(archive)


def podman(folder: Path, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run podman with the configuration in a folder."""
    environment = os.environ | {"CONTAINERS_CONF": str(configuration(folder))}
    command = ["podman", *arguments]
    return subprocess.run(command, env=environment, check=check, stdout=subprocess.PIPE, text=True)


if __name__ == "__main__":
    sys.exit(main())
