"""Makes mounts on this node, each by its driver."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Final

from bai.runtime.errors import LaunchError
from bai.runtime.mounts.driver import Driver, Mount
from bai.runtime.mounts.folders import FolderDriver

DRIVERS: Final[dict[str, Driver]] = {"folder": FolderDriver()}


def mount_all(mounts: Iterable[Mount]) -> None:
    """Make mounts on this node.

    Raises:
        LaunchError: one can't be made.
    """
    for mount in mounts:
        driver = DRIVERS.get(mount.driver)
        if driver is None:
            message = f"this node has no driver {mount.driver!r} for the mount {mount.name}"
            raise LaunchError(f"{message}: install the same bai on all nodes")
        if reason := driver.check(mount):
            raise LaunchError(reason)
        try:
            driver.mount(mount)
        except OSError as error:
            raise LaunchError(f"can't mount {mount.name}: {error.strerror}") from None


def unmount_all(mounts: Iterable[Mount]) -> None:
    """Take mounts away again, as far as that is possible."""
    for mount in mounts:
        # A job may have put something else there; that is not ours to remove.
        with contextlib.suppress(OSError, KeyError):
            DRIVERS[mount.driver].unmount(mount)
