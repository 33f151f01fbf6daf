"""Build Horovod's wheel for this environment once, keep it, and print where it is.

    python tools/horovod_wheel.py --with torch|tensorflow

Horovod 0.28.1 comes as source only and must be compiled against the frameworks that are installed
in the environment of this very interpreter. The wheel is kept in
`${XDG_CACHE_HOME:-~/.cache}/bai/horovod/KEY/`, where KEY stands for everything that the result
depends on. Needs a C++ compiler, cmake and Python's headers; uses MPI if `mpicxx` is there.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

VERSION = "0.28.1"
RECIPE = 2
"""Raised when the flags below change what is built."""

FRAMEWORKS = {"torch": ["torch"], "tensorflow": ["tensorflow-cpu", "tensorflow"]}
BUILD_REQUIREMENTS = [
    "setuptools",
    "wheel",
    "packaging",
    "cffi",
    "numpy",
    "psutil",
    "cloudpickle",
    "pyyaml",
]

_ERROR = re.compile("CMake Error|fatal error|: error:")
_SHARE = re.compile(rb"^ *\[ *(\d+)%\]", re.MULTILINE)
"""What CMake writes before each file."""

LAUNCHER = """#!/bin/sh
# CMake puts this before every call of the compiler.
# XLA's operations, for GPUs only, need headers that TensorFlow's wheels lack; without a version,
# they are empty.
case "$*" in *xla_mpi_ops.cc*) set -- "$@" -UTENSORFLOW_VERSION ;; esac
# Horovod asks for C++14, but the headers of newer frameworks need C++17; of two -std flags the
# last one wins. What takes time is in the communication libraries, so -O1 is enough, and halves
# the build.
exec "$@" -std=c++17 -O1 -g0
"""


def main() -> int:
    """Print the path of the wheel, after building it if need be."""
    parser = argparse.ArgumentParser(description="Build and cache Horovod's wheel.")
    parser.add_argument("--with", dest="framework", choices=FRAMEWORKS, required=True)
    framework = parser.parse_args().framework
    parts = ingredients(framework)
    text = json.dumps(parts, sort_keys=True)
    key = hashlib.sha256(text.encode()).hexdigest()[:16]
    folder = cache_root() / f"{framework}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        # A second build of the same wheel waits here for the first.
        fcntl.flock(lock, fcntl.LOCK_EX)
        wheels = list(folder.glob("horovod-*.whl"))
        if not wheels:
            (folder / "ingredients.json").write_text(text)
            wheels = [build(folder, framework, mpi=bool(parts["mpi"]))]
    print(wheels[0])
    return 0


def cache_root() -> Path:
    """Return the folder of all cached wheels."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "bai" / "horovod"


def ingredients(framework: str) -> dict[str, str]:
    """Return everything that the built wheel depends on."""
    compiler = os.environ.get("CXX", "g++")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        sys.exit("error: building Horovod needs Python's headers (apt install python3-dev)")
    return {
        "horovod": VERSION,
        "recipe": str(RECIPE),
        "framework": installed(FRAMEWORKS[framework]),
        "python": f"{platform.python_implementation()} {sysconfig.get_config_var('SOABI')}",
        "machine": platform.machine(),
        "libc": " ".join(platform.libc_ver()),
        "compiler": first_line([compiler, "--version"], "a C++ compiler (apt install g++)"),
        "cmake": first_line(["cmake", "--version"], "cmake (apt install cmake)"),
        "mpi": first_line(["mpicxx", "--showme:version"]) if shutil.which("mpicxx") else "",
    }


def installed(names: list[str]) -> str:
    """Return name and version of the first of some packages that is installed."""
    for name in names:
        try:
            return f"{name} {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            continue
    sys.exit(f"error: {names[0]} is not installed for {sys.executable}: install it first")


def first_line(command: list[str], what: str | None = None) -> str:
    """Return the first line that a command prints; without the command, exit and name it."""
    if what and not shutil.which(command[0]):
        sys.exit(f"error: building Horovod needs {what}")
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return (done.stdout or done.stderr).partition("\n")[0]


def build(folder: Path, framework: str, *, mpi: bool) -> Path:
    """Build the wheel and move it into its folder."""
    frameworks = {"torch": "PYTORCH", "tensorflow": "TENSORFLOW", "mxnet": "MXNET"}
    environment = dict(os.environ)
    for name, flag in frameworks.items():
        environment[f"HOROVOD_WITH{'' if name == framework else 'OUT'}_{flag}"] = "1"
    environment |= {
        "HOROVOD_WITH_GLOO": "1",
        "HOROVOD_WITH_MPI" if mpi else "HOROVOD_WITHOUT_MPI": "1",
        # CMake 4 refuses the minimum that Horovod's files ask for.
        "CMAKE_POLICY_VERSION_MINIMUM": "3.5",
        "MAKEFLAGS": environment.get("MAKEFLAGS", f"-j{len(os.sched_getaffinity(0))}"),
    }
    say(
        f"building Horovod {VERSION} for {framework}{' with MPI' if mpi else ''}: "
        f"this takes some minutes, once (log: {folder / 'build.log'})"
    )
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(dir=folder) as new, (folder / "build.log").open("w") as log:
        launcher = Path(new, "compile")
        launcher.write_text(LAUNCHER)
        launcher.chmod(0o755)
        environment["CMAKE_CXX_COMPILER_LAUNCHER"] = str(launcher)
        # pip's own cache knows a built wheel by its source alone, not by its frameworks.
        wheel = [
            "wheel",
            # CMake says how far it is.
            "--verbose",
            "--no-cache-dir",
            "--no-build-isolation",
            "--no-deps",
            f"horovod=={VERSION}",
            "-w",
            new,
        ]
        for command in ([*pip, "install", "--quiet", *BUILD_REQUIREMENTS], [*pip, *wheel]):
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
            if watch(process, Path(log.name), say):
                sys.exit(failure(Path(log.name)))
        (built,) = Path(new).glob("horovod-*.whl")
        target = folder / built.name
        built.replace(target)
    say(f"built Horovod in {time.monotonic() - begun:.0f} s")
    return target


def say(text: str) -> None:
    """Print a line to stderr; stdout is the path of the wheel."""
    print(text, file=sys.stderr, flush=True)


def watch(
    process: subprocess.Popen[bytes], log: Path, say: Callable[[str], None], pause: float = 10.0
) -> int:
    """Wait for the end of a build, and say every few seconds how far it is.

    Args:
        process: the build.
        log: where it writes.
        say: takes a line.
        pause: how many seconds.

    Returns:
        Its exit code.
    """
    begun = time.monotonic()
    while True:
        try:
            return process.wait(pause)
        except subprocess.TimeoutExpired:
            shares = _SHARE.findall(log.read_bytes())
            share = f"{int(shares[-1])} % compiled, " if shares else ""
            say(f"building Horovod: {share}{time.monotonic() - begun:.0f} s")


def failure(log: Path, lines: int = 15) -> str:
    """Return the message for a failed build, with its log from the first error on."""
    text = log.read_text(errors="replace").splitlines()
    errors = (n for n, line in enumerate(text) if _ERROR.search(line))
    first = next(errors, len(text) - lines)
    found = textwrap.dedent("\n".join(text[max(first, 0) :][:lines]))
    hint = ""
    if "CUDAToolkit" in found:
        hint = (
            "\nThere is a part of CUDA on this machine: install all of it, or take a build of "
            "PyTorch without it, such as make demo TORCH='torch==2.13.0+cpu'"
        )
    return f"error: Horovod does not build; from {log}:\n{found}{hint}"


if __name__ == "__main__":
    sys.exit(main())
