"""Runs every benchmark, or those named, and prints one table.

python benchmarks/run.py [startup] [lint] [logs] [state] [memory] [launch] [waiting_jobs]
                         [scheduling] [early_stopping] [examples] [scaling]
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

from measure import publish

ALL = (
    "startup",
    "lint",
    "logs",
    "state",
    "memory",
    "launch",
    "waiting_jobs",
    "scheduling",
    "early_stopping",
    "examples",
    "scaling",
)


def main() -> None:
    """Run the benchmarks."""
    # What is installed has its bytecode, which a command would have to make without it.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    chosen = sys.argv[1:] or ALL
    found = (result for name in chosen for result in import_module(name).results())
    publish(found, "-".join(chosen) if len(chosen) < len(ALL) else "all")


if __name__ == "__main__":
    main()
