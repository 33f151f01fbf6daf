"""The driver of blob containers: rclone shows one by FUSE, and uploads what a job writes.

A mount counts as taken away when all that was written is uploaded, and the checksums of the
container agree with those of what was written.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bai.runtime.errors import LaunchError, UploadError
from bai.runtime.last_line import last_line
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.mounted import detach_below, fusermount, mounted_below
from bai.runtime.mounts.probe import refusal
from bai.runtime.mounts.vfs_cache import Written, content, written_files
from bai.specs.words import counted

MOUNT_SECONDS: Final = 30.0
"""How long rclone may take until a container appears."""
SILENT_SECONDS: Final = 30.0
"""How long a service may be out of reach while uploads are awaited."""
_LOOK_SECONDS: Final = 0.1
_PROBE_SECONDS: Final = 2.0
_END_SECONDS: Final = 15.0
_KEPT: Final = ("PATH", "HOME", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
_LIMITS: Final = ("--timeout", "60s", "--contimeout", "10s", "--log-level", "NOTICE")
_FLAGS: Final = (
    *("--vfs-cache-mode", "writes"),
    # Written files are uploaded in the end: rclone 1.60 hangs, or loses a file, if one is renamed
    # while it uploads it, as scripts do to write a checkpoint whole or not at all.
    *("--vfs-write-back", "8760h"),
    *("--vfs-cache-max-age", "8760h"),
    *("--dir-cache-time", "5s"),
    *("--dir-perms", "0777"),
    *("--file-perms", "0777"),
    *_LIMITS,
)
FUSE: Final = Path("/dev/fuse")


def obstacle() -> tuple[str, str] | None:
    """Return why this machine can't mount containers, and the way out; None if it can."""
    if shutil.which("rclone") is None:
        return "rclone, which mounts containers, is not installed", "install it: apt install rclone"
    if not os.access(FUSE, os.R_OK | os.W_OK):
        way = "copy the files into a folder with rclone, and mount it as file:DIRECTORY"
        return f"containers are mounted by {FUSE}, which can't be used here", way
    if fusermount() is None:
        program = "fusermount3, which mounts containers, is not installed"
        return program, "install it: apt install fuse3"
    return None


@dataclass(frozen=True, slots=True)
class _Server:
    """An rclone that shows a container."""

    mount: Mount
    container: str
    process: subprocess.Popen[bytes]
    environment: dict[str, str]

    @property
    def cache(self) -> Path:
        return Path(self.mount.cache)

    @property
    def log(self) -> Path:
        return self.cache / "rclone.log"


class BlobDriver:
    """Shows containers of real accounts; one for each supervisor or agent."""

    def __init__(self, prepare: Callable[[], None]) -> None:
        """Begin without mounts.

        Args:
            prepare: called in a new process before it becomes rclone, to have it end with this one.
        """
        self._prepare = prepare
        self._servers: dict[str, _Server] = {}

    @property
    def pids(self) -> list[int]:
        """Process ids of what serves mounts."""
        return [server.process.pid for server in self._servers.values()]

    def check(self, mount: Mount) -> str | None:
        """Return why this machine can't mount containers, or why the container does not answer."""
        if found := obstacle():
            return f"can't mount {mount.name}: {': '.join(found)}"
        if why := refusal(mount.source, mount.secret):
            return f"can't mount {mount.name}, {mount.source}: {why}"
        return None

    def mount(self, mount: Mount) -> None:
        """Start rclone, and wait until the container appears.

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
        container = mount.source.rpartition("/")[2]
        environment = _environment(mount)
        command = ["rclone", "mount", f"bai:{container}", mount.path, "--cache-dir", mount.cache]
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
        server = _Server(mount, container, process, environment)
        self._servers[mount.path] = server
        deadline = time.monotonic() + MOUNT_SECONDS
        while not mounted_below(path):
            if process.poll() is not None or time.monotonic() > deadline:
                self._end(self._servers.pop(mount.path))
                why = last_line(server.log) or "it said nothing"
                raise LaunchError(f"rclone can't mount {mount.name}, {mount.source}: {why}")
            time.sleep(_LOOK_SECONDS / 2)

    def unmount(self, mount: Mount) -> None:
        """Take the mount away, upload what was written, and compare checksums.

        Raises:
            UploadError: something that was written is not in the container, as far as is known.
        """
        server = self._servers.get(mount.path)
        if server is None:
            detach_below(Path(mount.path))
            return
        try:
            is_broken = server.process.poll() is not None
            _await_whole(server)
        finally:
            self._end(self._servers.pop(mount.path))
        written = _written(server)
        left = [file for file in written if not file.is_uploaded]
        if broken := [file.path for file in left if not file.is_whole]:
            raise _lost(server, broken, "rclone was ended while it was writing them")
        if left:
            _upload(server, [file.path for file in left])
        _verify(server, [file.path for file in written if file.is_whole])
        if is_broken:
            why = last_line(server.log) or "it said nothing"
            raise UploadError(f"rclone, which showed {mount.name}, ended before the job: {why}")
        shutil.rmtree(mount.cache, ignore_errors=True)

    def _end(self, server: _Server) -> None:
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


def _environment(mount: Mount) -> dict[str, str]:
    """Return rclone's environment: other users can't read it, as they can a command line."""
    names = (*_KEPT, *_PROXIES, *map(str.lower, _PROXIES))
    return {
        **{name: os.environ[name] for name in names if name in os.environ},
        # None of the user's remotes is needed, nor a file for new ones.
        "RCLONE_CONFIG": os.devnull,
        "RCLONE_CONFIG_BAI_TYPE": "azureblob",
        "RCLONE_CONFIG_BAI_SAS_URL": f"{mount.source}?{mount.secret}",
    }


def _written(server: _Server) -> list[Written]:
    """Return the files that were opened to be written.

    Raises:
        UploadError: the cache can't be read.
    """
    try:
        return list(written_files(server.cache, server.container))
    except (OSError, ValueError) as error:
        name = server.mount.name
        raise UploadError(f"can't tell what was written to the mount {name}: {error}") from None


def _await_whole(server: _Server) -> None:
    """Wait until rclone has all of what was written: of a changed file it may fetch the rest.

    Raises:
        UploadError: it does not come to that.
    """
    watched = _Watched(server)
    while left := [f.path for f in _written(server) if not (f.is_uploaded or f.is_whole)]:
        if server.process.poll() is not None:
            raise _lost(server, left, last_line(server.log) or "rclone has ended")
        watched.check(left)
        time.sleep(_LOOK_SECONDS)


def _upload(server: _Server, paths: list[str]) -> None:
    """Upload files of the cache.

    Raises:
        UploadError: one can't be uploaded.
    """
    done = _run(server, "copy", paths, _Watched(server))
    if done.returncode:
        raise _lost(server, paths, _last(done.stderr))


def _verify(server: _Server, paths: list[str]) -> None:
    """Compare what was written with what is in the container, by size and MD5.

    Raises:
        UploadError: something differs, or can't be compared.
    """
    if not paths:
        return
    done = _run(server, "check", paths, _Watched(server), "--one-way", "--combined", "-")
    same = [line[2:] for line in done.stdout.splitlines() if line.startswith("= ")]
    if wrong := sorted({*paths} - {*same}):
        kept = content(server.cache, server.container)
        raise UploadError(
            f"{counted(len(wrong), 'file')} in {server.mount.source}, {wrong[0]} for one, "
            f"not what the job wrote to {server.mount.name}; kept in {kept}"
        )


def _run(
    server: _Server, verb: str, paths: list[str], watched: _Watched, *options: str
) -> subprocess.CompletedProcess[str]:
    """Run rclone on files of the cache and the container, as long as that answers.

    Raises:
        UploadError: it does not answer.
    """
    listed, folder = server.cache / "files.txt", content(server.cache, server.container)
    listed.write_text("".join(f"{path}\n" for path in paths), "utf-8")
    command = ["rclone", verb, str(folder), f"bai:{server.container}", *options]
    with subprocess.Popen(
        [*command, "--files-from-raw", str(listed), *_LIMITS],
        env=server.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while True:
            try:
                said = process.communicate(timeout=_PROBE_SECONDS)
            except subprocess.TimeoutExpired:
                try:
                    watched.check(paths)
                except UploadError:
                    process.kill()
                    raise
            else:
                return subprocess.CompletedProcess(command, process.returncode, *said)


class _Watched:
    """A service that is asked now and then whether it is still there."""

    def __init__(self, server: _Server) -> None:
        self._server = server
        self._probed = self._heard = time.monotonic()

    def check(self, paths: list[str]) -> None:
        """Do nothing if the service was there lately.

        Raises:
            UploadError: it was not, so that the files won't arrive.
        """
        if time.monotonic() - self._probed < _PROBE_SECONDS:
            return
        why = refusal(self._server.mount.source, self._server.mount.secret)
        self._probed = time.monotonic()
        if why is None:
            self._heard = self._probed
        elif self._probed - self._heard > SILENT_SECONDS:
            raise _lost(self._server, paths, why)


def _last(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "rclone said nothing"


def _lost(server: _Server, paths: list[str], why: str) -> UploadError:
    kept = content(server.cache, server.container) or server.cache
    return UploadError(
        f"{counted(len(paths), 'file')} that the job wrote to {server.mount.name}, "
        f"{paths[0]} for one, could not be uploaded to {server.mount.source}: {why}; "
        f"kept in {kept}"
    )
