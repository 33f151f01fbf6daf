"""The driver of mount commands: a shell line of the user's mounts what it wants at a path.

bai adds the path, as Batch AI does, runs the line as the user who runs bai, and takes away what is
mounted there afterwards.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from bai.runtime.errors import LaunchError, UploadError
from bai.runtime.last_line import last_line
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.mounted import detach_below, mounted_below

COMMAND_SECONDS: Final = 60.0
"""How long a mount command may take, and so may the writing of what a job wrote."""
_LOOK_SECONDS: Final = 0.05
_TASKS: Final = Path("/proc/self/task")


class CommandDriver:
    """Shows what mount commands mount; one for each supervisor or agent."""

    def __init__(
        self,
        prepare: Callable[[], None],
        wait: Callable[[float], None] = time.sleep,
        check: Callable[[], None] = lambda: None,
        seconds: float = COMMAND_SECONDS,
    ) -> None:
        """Begin without mounts.

        Args:
            prepare: called in a new process before it becomes the shell, to have it end with this
                one.
            wait: waits for some seconds, and does meanwhile what else is to be done.
            check: called now and then while a command runs; raises an exception to give up.
            seconds: how long a command may take.
        """
        self._prepare = prepare
        self._wait = wait
        self._check = check
        self._seconds = seconds
        self._servers: dict[str, frozenset[int]] = {}
        """Path of a mount -> what its command has left running, as FUSE does."""

    @property
    def pids(self) -> list[int]:
        """Process ids of what serves mounts."""
        return [pid for servers in self._servers.values() for pid in servers]

    def check(self, mount: Mount) -> None:
        """Return None: only the command tells."""

    def mount(self, mount: Mount) -> None:
        """Run the command, and look what is mounted then.

        Raises:
            LaunchError: it fails, takes too long, or mounts nothing.
            OSError: it can't be started.
        """
        path, log = Path(mount.path), Path(mount.cache) / "command.log"
        detach_below(path)
        path.mkdir(parents=True, exist_ok=True)
        log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        before = _children()
        line = f"{mount.source} {shlex.quote(mount.path)}"
        code = self._run(["sh", "-c", line], log, self._check)
        self._servers[mount.path] = _children() - before
        why = None
        if code is None:
            why = f"it took longer than {self._seconds:.0f} s"
        elif code:
            why = f"exit code {code}"
        elif not mounted_below(path):
            why = "it has ended, and nothing is mounted there"
        if why:
            self._take_away(mount)
            said = last_line(log)
            more = f": {said}" if said else ""
            raise LaunchError(f"the mount command of {mount.name} failed: {why}{more}")

    def unmount(self, mount: Mount) -> None:
        """Have written what a job wrote, and take the mount away.

        Raises:
            UploadError: it is not certain that all is written.
        """
        path, log = Path(mount.path), Path(mount.cache) / "command.log"
        why = None
        if mounted_below(path) and mount.path in self._servers:
            code = self._run(["sync", "--file-system", mount.path], log, lambda: None)
            if code:
                why = last_line(log) or f"sync failed with exit code {code}"
            elif code is None:
                why = f"sync took longer than {self._seconds:.0f} s"
        self._take_away(mount)
        if why:
            name = mount.name
            raise UploadError(f"what the job wrote to the mount {name} may be lost: {why}")

    def _take_away(self, mount: Mount) -> None:
        path = Path(mount.path)
        if detach_below(path):
            with suppress(OSError):
                path.rmdir()
        # They end with their mounts; what does not is ended with all other processes.
        self._servers.pop(mount.path, None)

    def _run(self, argv: Sequence[str], log: Path, check: Callable[[], None]) -> int | None:
        """Run a command in a session of its own; return its exit code, None if it took too long."""
        deadline = time.monotonic() + self._seconds
        with log.open("wb") as said:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
                preexec_fn=self._prepare,
            )
        try:
            while process.poll() is None:
                if time.monotonic() > deadline:
                    return None
                self._wait(_LOOK_SECONDS)
                check()
            return process.returncode
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                # What the kernel holds, on a server that is gone, ends when it may.
                with suppress(subprocess.TimeoutExpired):
                    process.wait(1)


def _children() -> frozenset[int]:
    """Return the process ids of this process's children, orphans that it has adopted too."""
    found = (path.read_text() for path in _TASKS.glob("*/children"))
    return frozenset(int(pid) for text in found for pid in text.split())
