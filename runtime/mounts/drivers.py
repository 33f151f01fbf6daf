"""Makes mounts on this node, each by its driver."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Sequence

from bai.runtime.errors import LaunchError, UploadError
from bai.runtime.mounts.blobs import Containers
from bai.runtime.mounts.commands import CommandDriver
from bai.runtime.mounts.copies import CopyDriver
from bai.runtime.mounts.driver import Driver, Mount
from bai.runtime.mounts.folders import FolderDriver
from bai.runtime.mounts.nfs import nfs_driver
from bai.runtime.mounts.rclone import RcloneDriver
from bai.runtime.mounts.smb import ShareDriver


class Drivers:
    """The drivers of this node, with what they have mounted."""

    def __init__(
        self,
        prepare: Callable[[], None],
        copier: Sequence[str] = (),
        wait: Callable[[float], None] = time.sleep,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Begin without mounts.

        Args:
            prepare: called in a new process before it becomes one that serves a mount, to have it
                end with this one.
            copier: the command line that runs `staging.py`.
            wait: waits for some seconds, and does meanwhile what else is to be done.
            check: called now and then while mounts are made; raises an exception to give up.
        """
        self._drivers: dict[str, Driver] = {
            "folder": FolderDriver(),
            "blob": RcloneDriver(Containers(), prepare),
            "copy": CopyDriver(prepare, copier, wait, check),
            "command": CommandDriver(prepare, wait, check),
            "smb": ShareDriver(prepare),
            "nfs": nfs_driver(),
        }

    @property
    def pids(self) -> list[int]:
        """Process ids of what serves mounts."""
        return [pid for driver in self._drivers.values() for pid in driver.pids]

    def mount(self, mounts: Iterable[Mount]) -> None:
        """Make mounts on this node.

        Raises:
            LaunchError: one can't be made.
        """
        for mount in mounts:
            driver = self._drivers.get(mount.driver)
            if driver is None:
                message = f"this node has no driver {mount.driver!r} for the mount {mount.name}"
                raise LaunchError(f"{message}: install the same bai on all nodes")
            try:
                if reason := driver.check(mount):
                    raise LaunchError(reason)
                driver.mount(mount)
            except OSError as error:
                raise LaunchError(f"can't mount {mount.name}: {error.strerror}") from None

    def unmount(self, mounts: Iterable[Mount]) -> list[str]:
        """Take mounts away again, as far as that is possible; return what has not arrived."""
        lost = []
        for mount in mounts:
            # A job may have put something else there; that is not ours to remove.
            with contextlib.suppress(OSError, KeyError):
                try:
                    self._drivers[mount.driver].unmount(mount)
                except UploadError as error:
                    lost.append(str(error))
        return lost
