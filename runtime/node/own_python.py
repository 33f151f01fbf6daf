"""How bai starts Python for a module of its own, whatever lies in the working directory."""

from __future__ import annotations

import sys

_STANDARD_LIBRARY_FIRST = (
    "import os, sys; library = os.path.dirname(os.__file__); "
    "sys.path.sort(key=lambda path: path not in (library, library + '/lib-dynload'))"
)
"""`os` is loaded before any folder of the user is searched."""


def own_python(module: str) -> list[str]:
    """Return the command line that runs `main()` of a module of bai, for arguments to be added.

    The working directory is not searched for modules, and what PYTHONPATH names only behind the
    standard library: bai itself may have been found there. The environment stays as it is, for
    the processes of jobs inherit it.
    """
    code = f"{_STANDARD_LIBRARY_FIRST}; from {module} import main; main()"
    return [sys.executable, "-P", "-c", code]
