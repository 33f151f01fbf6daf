"""Mounts as data, and the interface of what makes them on a node."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

Commands = Literal["refuse", "run"]
"""Whether mount commands, shell lines for root, are run."""


@dataclass(frozen=True, slots=True)
class Mount:
    """Something that appears at a path of a node."""

    name: str
    """What messages call it: its relativeMountPath."""
    path: str
    """Where it appears, absolute."""
    source: str
    """What appears there; a folder of the node, for the driver of folders."""
    made: bool = False
    """Whether the driver makes the source where it is missing."""
    driver: str = "folder"
    cache: str = ""
    """A folder in which the driver may keep files, absolute; some need none."""
    user: str = ""
    """Whom the secret belongs to, where the source has users."""
    secret: str = field(default="", repr=False)
    """What opens the source."""
    file_mode: str = "0777"
    """Permissions of its files, octal, where the source keeps none."""
    directory_mode: str = "0777"
    """Permissions of its directories, octal, where the source keeps none."""
    options: str = ""
    """Options of the mount command, with commas between them."""


class Driver(Protocol):
    """Makes mounts of one kind; its methods run on the node."""

    @property
    def pids(self) -> list[int]:
        """Process ids of what serves mounts: they go on when a job's processes are ended."""

    def check(self, mount: Mount) -> str | None:
        """Return why the mount can't be made; None if nothing speaks against it."""

    def mount(self, mount: Mount) -> None:
        """Make the mount appear; one that is there already is replaced.

        Raises:
            LaunchError, OSError: it can't be made.
        """

    def unmount(self, mount: Mount) -> None:
        """Take the mount away, if it is there; what is in it stays.

        Raises:
            OSError: it can't be taken away.
            UploadError: something that was written to it has not arrived.
        """
