"""NFS exports that stand for file servers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bai.runtime.mounts.driver import Mount

NFS: Final = "nfs"
"""The name of the driver."""


@dataclass(frozen=True, slots=True)
class Export:
    """A directory that an NFS server exports."""

    source: str
    """HOST:/PATH."""
    options: str = ""
    """Those of the mount, with commas between them."""

    @property
    def address(self) -> str:
        """What messages call it."""
        return f"nfs://{self.source.replace(':/', '/', 1)}"

    def mount(self, name: str, path: Path) -> Mount:
        """Return what makes the directory appear."""
        return Mount(name, str(path), self.source, driver=NFS, options=self.options)
