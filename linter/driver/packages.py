"""The Python packages that jobs will find, read without starting their interpreter."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

_FOLDERS: Final = (
    "lib/python3*/site-packages",
    "lib/python3*/dist-packages",
    "local/lib/python3*/dist-packages",
)
"""Where interpreters and virtual environments keep packages; the last two on Debian."""


class InstalledPackages:
    """The packages of an interpreter, by what pip has written beside them."""

    def __init__(self, python: str | None) -> None:
        """Look into the environment of an interpreter; None for the one that runs bai."""
        self._python = python

    def version(self, name: str) -> str | None:
        """Return the version of a package; None if it is not installed, or not found."""
        folders = sys.path if self._python is None else _folders_of(self._python)
        found = distributions(name=name, path=list(map(str, folders)))
        return next((each.version for each in found), None)


def _folders_of(python: str) -> Iterable[Path]:
    # A virtual environment is where its link to an interpreter stands, not where that leads.
    prefix = Path(shutil.which(python) or python).absolute().parent.parent
    return (folder for pattern in _FOLDERS for folder in sorted(prefix.glob(pattern)))
