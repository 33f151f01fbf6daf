"""Install Azurite, the emulator of Azure's blob service, once, keep it, and print its program.

    python tools/azurite.py

Run what is printed with node. It is kept in `${XDG_CACHE_HOME:-~/.cache}/bai/azurite/VERSION/`.
Needs node, and npm to install it; where npm looks for packages is npm's own configuration.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VERSION = "3.37.0"
PROGRAM = "node_modules/azurite/dist/src/blob/main.js"
"""The blob service alone, in the folder that it is installed in."""


def main() -> int:
    """Print the path of the program, after installing it if need be."""
    need("node")
    root = cache_root()
    root.mkdir(parents=True, exist_ok=True)
    with (root / "lock").open("w") as lock:
        # A second installation waits here for the first.
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = root / VERSION
        if not folder.exists():
            need("npm")
            install(folder)
    print(folder / PROGRAM)
    return 0


def need(program: str) -> None:
    """Exit with a message if a program is not on the path."""
    if not shutil.which(program):
        sys.exit(f"error: Azurite needs {program} (apt install nodejs npm)")


def cache_root() -> Path:
    """Return the folder of all installed versions."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "bai" / "azurite"


def install(folder: Path) -> None:
    """Install Azurite in a folder, which is there once all is in it."""
    print(f"installing Azurite {VERSION}: 190 MB, once", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as made:
        new = Path(made, "new")
        new.mkdir()
        # Without a package.json, npm installs into the nearest folder above that has one.
        (new / "package.json").write_text('{"private": true}\n')
        quiet = ["--no-audit", "--no-fund", "--no-progress", "--omit=optional"]
        command = ["npm", "install", *quiet, f"azurite@{VERSION}"]
        done = subprocess.run(command, cwd=new, check=False, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"error: npm can't install Azurite:\n{done.stderr.strip()}")
        new.replace(folder)


if __name__ == "__main__":
    sys.exit(main())
