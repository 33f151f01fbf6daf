"""Install Intel MPI's runtime once, keep it, and print the folder that it is in.

    python tools/intel_mpi.py

The runtime comes from PyPI (`impi-rt`, 321 MB, for x86-64) and is kept in
`${XDG_CACHE_HOME:-~/.cache}/bai/intel-mpi/VERSION/`, where the tests look for it, with mpirun and
the Intel MPI Benchmarks in `bin` and the libraries in `lib`. Nothing else on the machine changes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

VERSION = "2021.18.1"


def main() -> int:
    """Print the folder, after installing into it if need be."""
    folder = folder_of(VERSION)
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as parent:
            new = Path(parent, VERSION)
            install(new)
            # Whole or not at all, also where another process has made it meanwhile.
            if not folder.exists():
                new.rename(folder)
    print(folder)
    return 0


def folder_of(version: str) -> Path:
    """Return the folder of a version of the runtime."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "bai" / "intel-mpi" / version


def install(folder: Path) -> None:
    """Install the runtime into a new folder, or exit with pip's message."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    print(f"downloading Intel MPI {VERSION}, 321 MB, once", file=sys.stderr)
    done = subprocess.run(
        [*pip, "--no-deps", "--prefix", str(folder), f"impi-rt=={VERSION}"],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(f"error: Intel MPI can't be installed: {done.stderr.strip()}")


if __name__ == "__main__":
    sys.exit(main())
