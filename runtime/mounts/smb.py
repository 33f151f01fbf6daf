"""File shares, by SMB: the kernel mounts them where it can, and rclone where it can't."""

from __future__ import annotations

import errno
import json
import subprocess
from collections.abc import Callable
from functools import cached_property
from typing import Final
from urllib.parse import urlsplit

from bai.runtime.errors import LaunchError
from bai.runtime.mounts import kernel, rclone
from bai.runtime.mounts.driver import Driver, Mount
from bai.runtime.mounts.kernel import Call, FileSystem, KernelDriver
from bai.runtime.mounts.rclone import RcloneDriver

CIFS: Final = FileSystem("cifs", "cifs", "file shares", "install rclone")
ANSWER_SECONDS: Final = 15.0
"""How long a server may take to answer."""
_KERNEL_WORDS: Final = {
    errno.EACCES: "it refuses the user or the key",
    errno.ENOENT: "there is no such share: make it first",
    errno.EPERM: "mounting is not permitted",
    errno.EOPNOTSUPP: "the server does not speak SMB 3",
    errno.ENODEV: "this kernel has no cifs",
}
_RCLONE_WORDS: Final = {
    "attempted logon is invalid": "it refuses the user or the key",
    "Access Denied": "it refuses the user or the key",
    "share name cannot be found": "there is no such share: make it first",
    "directory not found": "there is no such directory in the share: make it first",
}
"""What rclone says -> what it means here."""
# rclone 1.60 takes the folder of a file at the top of a share for one of the name `.`, and makes it
# with another character in place of the dot, unless names may be dots.
_ENCODING: Final = (
    "Slash,LtGt,DoubleQuote,Colon,Question,Asterisk,Pipe,BackSlash,Ctl,RightSpace,InvalidUtf8"
)


def obstacle() -> tuple[str, str] | None:
    """Return why this machine can't mount file shares, and the way out; None if it can."""
    return kernel.obstacle(CIFS) and rclone.obstacle(CIFS.plural)


class ShareDriver:
    """Shows file shares; one for each supervisor or agent."""

    def __init__(self, prepare: Callable[[], None]) -> None:
        """Begin without mounts.

        Args:
            prepare: called in a new process before it becomes rclone, to have it end with this one.
        """
        self._rclone = RcloneDriver(Shares(), prepare)
        self._kernel = KernelDriver(CIFS, _call, _KERNEL_WORDS)

    @cached_property
    def _driver(self) -> Driver:
        return self._rclone if kernel.obstacle(CIFS) else self._kernel

    @property
    def pids(self) -> list[int]:
        """Process ids of what serves mounts."""
        return self._rclone.pids

    def check(self, mount: Mount) -> str | None:
        """Return why this machine can't mount shares, or why the share does not answer."""
        return self._driver.check(mount)

    def mount(self, mount: Mount) -> None:
        """Make the share appear.

        Raises:
            LaunchError, OSError: it does not.
        """
        self._driver.mount(mount)

    def unmount(self, mount: Mount) -> None:
        """Take the mount away, when all that was written has arrived.

        Raises:
            UploadError: it has not, as far as is known.
        """
        self._driver.unmount(mount)


class Shares:
    """File shares as rclone reaches them."""

    plural = CIFS.plural
    comparison: tuple[str, ...] = ("--download",)
    """A server keeps no checksums: what has arrived is read again."""

    def variables(self, mount: Mount) -> dict[str, str]:
        """Return rclone's settings.

        Raises:
            LaunchError: rclone does not take the key.
            OSError: it can't be started.
        """
        server = urlsplit(mount.source)
        done = subprocess.run(
            ["rclone", "obscure", "-"],
            input=mount.secret,
            capture_output=True,
            text=True,
            timeout=ANSWER_SECONDS,
            check=False,
        )
        if done.returncode:
            raise LaunchError(f"rclone does not take the key of the mount {mount.name}")
        return {
            "RCLONE_CONFIG_BAI_TYPE": "smb",
            "RCLONE_CONFIG_BAI_HOST": server.hostname or "",
            "RCLONE_CONFIG_BAI_PORT": str(server.port or 445),
            "RCLONE_CONFIG_BAI_USER": mount.user,
            "RCLONE_CONFIG_BAI_PASS": done.stdout.strip(),
            "RCLONE_CONFIG_BAI_ENCODING": _ENCODING,
        }

    def top(self, mount: Mount) -> str:
        """Return the share's name, and the directory in it."""
        return urlsplit(mount.source).path.strip("/")

    def refusal(self, mount: Mount, environment: dict[str, str]) -> str | None:
        """Return why the share does not answer."""
        once = ("--retries", "1", "--low-level-retries", "1", "--contimeout", "10s")
        try:
            done = subprocess.run(
                ["rclone", "lsjson", "--stat", f"bai:{self.top(mount)}", *once],
                env=environment,
                capture_output=True,
                text=True,
                timeout=ANSWER_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"no answer in {ANSWER_SECONDS:.0f} s"
        if done.returncode == 0:
            return None if json.loads(done.stdout)["IsDir"] else "it is a file"
        lines = done.stderr.strip().splitlines()
        said = lines[-1] if lines else "rclone said nothing"
        for part, meaning in _RCLONE_WORDS.items():
            if part in said:
                return meaning
        return said.rpartition(": ")[2]


def _call(mount: Mount) -> Call:
    """Return how the kernel is asked for a share, with the options that Azure Files wants.

    Raises:
        LaunchError: the key would be more than one option.
    """
    if "," in mount.secret:
        raise LaunchError(f"can't mount {mount.name}: the kernel takes no key with a comma")
    server = urlsplit(mount.source)
    share, _, below = server.path.strip("/").partition("/")
    assert server.hostname, "it was checked"
    return Call(
        CIFS.name,
        f"//{server.hostname}{server.path}",
        mount.path,
        server.hostname,
        address="ip",
        # A server may have later versions only.
        variants=("vers=3.0", "vers=3.1.1"),
        options=(
            "nosuid",
            "nodev",
            rf"unc=\\{server.hostname}\{share}",
            *([f"prefixpath={below}"] if below else ()),
            *([f"port={server.port}"] if server.port else ()),
            f"username={mount.user}",
            f"password={mount.secret}",
            f"dir_mode={mount.directory_mode}",
            f"file_mode={mount.file_mode}",
            "serverino",
        ),
    )
