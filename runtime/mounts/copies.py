"""The driver of containers that are copied: into a folder before a job, and back after it.

It stands in for FUSE where that is missing. What the job wrote counts as arrived when the
container's checksums agree with those of the folder (`staging.py`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from bai.runtime.errors import LaunchError, UploadError
from bai.runtime.last_line import last_line
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.probe import refusal

PROGRAM: Final = "bai.runtime.mounts.staging"
"""The module whose `main()` copies."""
_LOOK_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Order:
    """What to copy."""

    name: str
    """What messages call the mount."""
    url: str
    """The container's URL."""
    signature: str
    """A query that opens it."""
    folder: str
    """Where its files are on this machine."""
    record: str
    """The file that says what was copied there."""
    is_back: bool
    """Whether to copy what has changed in the folder into the container."""


class CopyDriver:
    """Shows copies of containers; one for each supervisor or agent."""

    def __init__(
        self,
        prepare: Callable[[], None],
        program: Sequence[str],
        wait: Callable[[float], None] = time.sleep,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Begin without copies.

        Args:
            prepare: called in a new process before it becomes one that copies, to have it end with
                this one.
            program: the command line that copies.
            wait: waits for some seconds, and does meanwhile what else is to be done.
            check: called now and then before a job; raises an exception to give up.
        """
        self._prepare = prepare
        self._program = program
        self._wait = wait
        self._check = check
        self._made: set[str] = set()
        """Paths of mounts that are there."""
        self._running: list[subprocess.Popen[bytes]] = []

    @property
    def pids(self) -> list[int]:
        """Process ids of what copies now."""
        return [process.pid for process in self._running]

    def check(self, mount: Mount) -> str | None:
        """Return why the container does not answer; None if it does."""
        why = refusal(mount.source, mount.secret)
        return why and f"can't copy {mount.name}, {mount.source}: {why}"

    def mount(self, mount: Mount) -> None:
        """Copy the container, and make a link to the copy.

        Raises:
            LaunchError: it can't be copied.
            OSError: the link can't be made.
        """
        cache = Path(mount.cache)
        # What a killed run could not upload is not this one's.
        shutil.rmtree(cache, ignore_errors=True)
        cache.mkdir(parents=True, mode=0o700)
        if why := self._copy(mount, is_back=False, check=self._check):
            shutil.rmtree(cache, ignore_errors=True)
            raise LaunchError(f"can't copy {mount.name}, {mount.source}: {why}")
        link = Path(mount.path)
        link.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            link.unlink()
        link.symlink_to(_files(mount), target_is_directory=True)
        self._made.add(mount.path)

    def unmount(self, mount: Mount) -> None:
        """Copy back what has changed, compare checksums, and remove the copy.

        Raises:
            UploadError: something that was written is not in the container, as far as is known.
        """
        if mount.path not in self._made:
            return
        self._made.remove(mount.path)
        # A job may have put something else there.
        with suppress(OSError):
            Path(mount.path).unlink()
        if why := self._copy(mount, is_back=True, check=lambda: None):
            raise UploadError(why)
        shutil.rmtree(mount.cache, ignore_errors=True)

    def _copy(self, mount: Mount, *, is_back: bool, check: Callable[[], None]) -> str | None:
        """Run the program that copies; return what went wrong."""
        cache = Path(mount.cache)
        record = str(cache / "record.json")
        order = Order(
            mount.name, mount.source, mount.secret, str(_files(mount)), record, is_back=is_back
        )
        log = cache / "copy.log"
        with log.open("wb") as errors:
            process = subprocess.Popen(
                self._program,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
                preexec_fn=self._prepare,
            )
        assert process.stdin
        assert process.stdout
        self._running.append(process)
        try:
            with process.stdout:
                with suppress(BrokenPipeError), process.stdin:
                    # Far less than a pipe holds.
                    process.stdin.write(json.dumps(asdict(order)).encode())
                while process.poll() is None:
                    self._wait(_LOOK_SECONDS)
                    check()
                said = process.stdout.read()
        finally:
            process.kill()
            process.wait()
            self._running.remove(process)
        try:
            error: str | None = json.loads(said)["error"]
        except ValueError:
            what = "uploaded" if is_back else "copied"
            why = last_line(log) or "the program that copies was ended"
            return f"{mount.name} was not {what}: {why}; kept in {_files(mount)}"
        return error


def _files(mount: Mount) -> Path:
    return Path(mount.cache) / "files"
