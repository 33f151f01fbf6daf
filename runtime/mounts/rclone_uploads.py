"""What a job wrote to a mount of rclone's: waited for, uploaded, and compared with what arrived."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from bai.runtime.errors import UploadError
from bai.runtime.last_line import last_line
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.vfs_cache import Written, content, written_files
from bai.specs.words import counted

SILENT_SECONDS: Final = 30.0
"""How long a service may be out of reach while uploads are awaited."""
LIMITS: Final = ("--timeout", "60s", "--contimeout", "10s", "--log-level", "NOTICE")
"""Options of all commands of rclone."""
STILL_SECONDS: Final = 60.0
"""How long rclone may take for the next piece of a file that it completes."""
_SETTLED_SECONDS: Final = 2.0
_LOOK_SECONDS: Final = 0.1
_PROBE_SECONDS: Final = 2.0


class Backend(Protocol):
    """What rclone shows: containers, for one."""

    @property
    def plural(self) -> str:
        """What messages call them."""

    @property
    def comparison(self) -> tuple[str, ...]:
        """Options of `rclone check` with which it compares contents."""

    def variables(self, mount: Mount) -> dict[str, str]:
        """Return rclone's settings of the remote `bai`, as variables.

        Raises:
            LaunchError, OSError: they can't be made.
        """

    def top(self, mount: Mount) -> str:
        """Return the path of what is mounted in the remote."""

    def refusal(self, mount: Mount, environment: dict[str, str]) -> str | None:
        """Return why it does not answer; None if it does.

        Args:
            mount: the mount.
            environment: that of rclone.
        """


@dataclass(frozen=True, slots=True)
class Server:
    """An rclone that shows something."""

    mount: Mount
    backend: Backend
    process: subprocess.Popen[bytes]
    environment: dict[str, str]

    @property
    def top(self) -> str:
        """The path of what is mounted in the remote."""
        return self.backend.top(self.mount)

    @property
    def cache(self) -> Path:
        """The folder of rclone's cache."""
        return Path(self.mount.cache)

    @property
    def log(self) -> Path:
        """What rclone has said."""
        return self.cache / "rclone.log"


def written(server: Server) -> list[Written]:
    """Return the files that were opened to be written.

    Raises:
        UploadError: the cache can't be read.
    """
    try:
        return list(written_files(server.cache, server.top))
    except (OSError, ValueError) as error:
        name = server.mount.name
        raise UploadError(f"can't tell what was written to the mount {name}: {error}") from None


def await_whole(server: Server) -> None:
    """Wait until rclone has all of what was written: of a changed file it may fetch the rest.

    Raises:
        UploadError: it does not come to that.
    """
    watched = _Watched(server)
    state: object = None
    since = time.monotonic()
    while left := [file for file in written(server) if not (file.is_uploaded or file.is_whole)]:
        paths = [file.path for file in left]
        if server.process.poll() is not None:
            raise lost(server, paths, last_line(server.log) or "rclone has ended")
        watched.check(paths)
        found = [(file, _progress(server, file)) for file in left]
        if found != state:
            state, since = found, time.monotonic()
        still = time.monotonic() - since
        if still > _SETTLED_SECONDS and all(file.longer_than is not None for file in left):
            return
        if still > STILL_SECONDS:
            raise lost(server, paths, f"rclone has not completed it for {STILL_SECONDS:.0f} s")
        time.sleep(_LOOK_SECONDS)


def _progress(server: Server, file: Written) -> object:
    """Return what is another one when the cache gets more of a file."""
    folder = content(server.cache, server.top)
    try:
        found = (folder or server.cache).joinpath(file.path).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_blocks


def cut(server: Server) -> None:
    """Cut the files of the cache that have more than is left of them; rclone must have ended.

    Raises:
        UploadError: the cache can't be read.
    """
    folder = content(server.cache, server.top)
    for file in written(server):
        if folder and file.longer_than is not None:
            os.truncate(folder / file.path, file.longer_than)


def upload(server: Server, paths: list[str]) -> None:
    """Upload files of the cache.

    Raises:
        UploadError: one can't be uploaded.
    """
    done = _run(server, "copy", paths, _Watched(server))
    if done.returncode:
        raise lost(server, paths, _last(done.stderr))


def verify(server: Server, paths: list[str]) -> None:
    """Compare what was written with what has arrived, by sizes and contents.

    Raises:
        UploadError: something differs, or can't be compared.
    """
    if not paths:
        return
    compared = server.backend.comparison
    done = _run(server, "check", paths, _Watched(server), "--one-way", "--combined", "-", *compared)
    same = [line[2:] for line in done.stdout.splitlines() if line.startswith("= ")]
    if wrong := sorted({*paths} - {*same}):
        kept = content(server.cache, server.top)
        raise UploadError(
            f"{counted(len(wrong), 'file')} in {server.mount.source}, {wrong[0]} for one, "
            f"not what the job wrote to {server.mount.name}; kept in {kept}"
        )


def _run(
    server: Server, verb: str, paths: list[str], watched: _Watched, *options: str
) -> subprocess.CompletedProcess[str]:
    """Run rclone on files of the cache and what is mounted, as long as that answers.

    Raises:
        UploadError: it does not answer.
    """
    listed, folder = server.cache / "files.txt", content(server.cache, server.top)
    listed.write_text("".join(f"{path}\n" for path in paths), "utf-8")
    command = ["rclone", verb, str(folder), f"bai:{server.top}", *options]
    with subprocess.Popen(
        [*command, "--files-from-raw", str(listed), *LIMITS],
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

    def __init__(self, server: Server) -> None:
        self._server = server
        self._probed = self._heard = time.monotonic()

    def check(self, paths: list[str]) -> None:
        """Do nothing if the service was there lately.

        Raises:
            UploadError: it was not, so that the files won't arrive.
        """
        if time.monotonic() - self._probed < _PROBE_SECONDS:
            return
        server = self._server
        why = server.backend.refusal(server.mount, server.environment)
        self._probed = time.monotonic()
        if why is None:
            self._heard = self._probed
        elif self._probed - self._heard > SILENT_SECONDS:
            raise lost(server, paths, why)


def _last(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "rclone said nothing"


def lost(server: Server, paths: list[str], why: str) -> UploadError:
    """Return the error for files that have not arrived."""
    kept = content(server.cache, server.top) or server.cache
    return UploadError(
        f"{counted(len(paths), 'file')} that the job wrote to {server.mount.name}, "
        f"{paths[0]} for one, could not be uploaded to {server.mount.source}: {why}; "
        f"kept in {kept}"
    )
