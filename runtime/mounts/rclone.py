"""The driver of what rclone shows by FUSE, and to which it uploads what a job writes.

A mount counts as taken away when all that was written is uploaded, and what has arrived agrees with
what was written.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from bai.runtime.errors import LaunchError, UploadError
from bai.runtime.last_line import last_line
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.mounted import detach_below, fusermount, mounted_below
from bai.runtime.mounts.rclone_uploads import (
    LIMITS,
    Backend,
    Server,
    await_whole,
    cut,
    lost,
    upload,
    verify,
    written,
)

MOUNT_SECONDS: Final = 30.0
"""How long rclone may take until a mount appears."""
_LOOK_SECONDS: Final = 0.05
_END_SECONDS: Final = 15.0
_KEPT: Final = ("PATH", "HOME", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
_FLAGS: Final = (
    *("--vfs-cache-mode", "writes"),
    # Written files are uploaded in the end: rclone 1.60 hangs, or loses a file, if one is renamed
    # while it uploads it, as scripts do to write a checkpoint whole or not at all.
    *("--vfs-write-back", "8760h"),
    *("--vfs-cache-max-age", "8760h"),
    *("--dir-cache-time", "5s"),
    *LIMITS,
)
FUSE: Final = Path("/dev/fuse")


def obstacle(plural: str) -> tuple[str, str] | None:
    """Return why rclone can't mount here, and the way out; None if it can.

    Args:
        plural: what is to be mounted.
    """
    if shutil.which("rclone") is None:
        return f"rclone, which mounts {plural}, is not installed", "install it: apt install rclone"
    if not os.access(FUSE, os.R_OK | os.W_OK):
        way = "copy the files into a folder with rclone, and mount it as file:DIRECTORY"
        return f"{plural} are mounted by {FUSE}, which can't be used here", way
    if fusermount() is None:
        program = f"fusermount3, which mounts {plural}, is not installed"
        return program, "install it: apt install fuse3"
    return None


class RcloneDriver:
    """Shows what one backend of rclone's reaches; one for each supervisor or agent."""

    def __init__(self, backend: Backend, prepare: Callable[[], None]) -> None:
        """Begin without mounts.

        Args:
            backend: what is shown.
            prepare: called in a new process before it becomes rclone, to have it end with this one.
        """
        self._backend = backend
        self._prepare = prepare
        self._servers: dict[str, Server] = {}

    @property
    def pids(self) -> list[int]:
        """Process ids of what serves mounts."""
        return [server.process.pid for server in self._servers.values()]

    def check(self, mount: Mount) -> str | None:
        """Return why this machine can't mount, or why what is to be mounted does not answer."""
        if found := obstacle(self._backend.plural):
            return f"can't mount {mount.name}: {': '.join(found)}"
        if why := self._backend.refusal(mount, self._environment(mount)):
            return f"can't mount {mount.name}, {mount.source}: {why}"
        return None

    def mount(self, mount: Mount) -> None:
        """Start rclone, and wait until the mount appears.

        Raises:
            LaunchError: it does not.
            OSError: rclone can't be started.
        """
        path, cache = Path(mount.path), Path(mount.cache)
        detach_below(path)
        path.mkdir(parents=True, exist_ok=True)
        # What a killed run could not upload is not this one's.
        shutil.rmtree(cache, ignore_errors=True)
        cache.mkdir(parents=True, mode=0o700)
        environment = self._environment(mount)
        modes = ("--dir-perms", mount.directory_mode, "--file-perms", mount.file_mode)
        shown = f"bai:{self._backend.top(mount)}"
        command = ["rclone", "mount", shown, mount.path, "--cache-dir", mount.cache, *modes]
        with (cache / "rclone.log").open("wb") as log:
            process = subprocess.Popen(
                [*command, *_FLAGS],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=self._prepare,
            )
        server = Server(mount, self._backend, process, environment)
        self._servers[mount.path] = server
        deadline = time.monotonic() + MOUNT_SECONDS
        while not mounted_below(path):
            if process.poll() is not None or time.monotonic() > deadline:
                self._end(self._servers.pop(mount.path))
                why = last_line(server.log) or "it said nothing"
                raise LaunchError(f"rclone can't mount {mount.name}, {mount.source}: {why}")
            time.sleep(_LOOK_SECONDS)

    def unmount(self, mount: Mount) -> None:
        """Take the mount away, upload what was written, and compare it with what has arrived.

        Raises:
            UploadError: something that was written has not arrived, as far as is known.
        """
        server = self._servers.get(mount.path)
        if server is None:
            detach_below(Path(mount.path))
            return
        try:
            is_broken = server.process.poll() is not None
            await_whole(server)
        finally:
            self._end(self._servers.pop(mount.path))
        cut(server)
        files = written(server)
        left = [file for file in files if not file.is_uploaded]
        if broken := [file.path for file in left if not file.is_whole]:
            raise lost(server, broken, "rclone was ended while it was writing them")
        if left:
            upload(server, [file.path for file in left])
        verify(server, [file.path for file in files if file.is_whole])
        if is_broken:
            why = last_line(server.log) or "it said nothing"
            raise UploadError(f"rclone, which showed {mount.name}, ended before the job: {why}")
        shutil.rmtree(mount.cache, ignore_errors=True)

    def _environment(self, mount: Mount) -> dict[str, str]:
        """Return rclone's environment: other users can't read it, as they can a command line."""
        names = (*_KEPT, *_PROXIES, *map(str.lower, _PROXIES))
        return {
            **{name: os.environ[name] for name in names if name in os.environ},
            # None of the user's remotes is needed, nor a file for new ones.
            "RCLONE_CONFIG": os.devnull,
            **self._backend.variables(mount),
        }

    def _end(self, server: Server) -> None:
        server.process.terminate()
        try:
            server.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            server.process.kill()
            server.process.wait()
        path = Path(server.mount.path)
        if detach_below(path):
            with suppress(OSError):
                path.rmdir()
