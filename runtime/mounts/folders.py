"""The driver of folders: a link at the mount path leads to a folder of the node."""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar

from bai.runtime.mounts.driver import Mount


class FolderDriver:
    """Shows folders."""

    pids: ClassVar[list[int]] = []
    """Nothing serves a link."""

    def check(self, mount: Mount) -> str | None:
        """Return a message if a folder of the user's is missing."""
        if mount.made or Path(mount.source).is_dir():
            return None
        return f"the directory {mount.source} of mount {mount.name} is missing"

    def mount(self, mount: Mount) -> None:
        """Make the link, at once: another node may make it too, where nodes share a folder."""
        if mount.made:
            Path(mount.source).mkdir(parents=True, exist_ok=True)
        link = Path(mount.path)
        link.parent.mkdir(parents=True, exist_ok=True)
        made = link.with_name(f"{link.name}.{os.urandom(8).hex()}")
        made.symlink_to(mount.source, target_is_directory=True)
        made.replace(link)

    def unmount(self, mount: Mount) -> None:
        """Remove the link."""
        Path(mount.path).unlink(missing_ok=True)
