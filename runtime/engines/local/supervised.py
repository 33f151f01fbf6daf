"""Processes of bai's own that run something in a folder: how they are started and looked for."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bai.runtime.engines.base import Condition, Report
from bai.runtime.errors import LaunchError
from bai.runtime.jobs.journal import is_claimed
from bai.runtime.last_line import last_line
from bai.runtime.node.environment import MARKER, NODE_MARKER
from bai.runtime.node.leftovers import end_leftovers

SUPERVISOR_LOG: Final = "supervisor.log"
"""The file of a run's folder that its guardian and its supervisor write to."""


def start(folder: Path, command: Sequence[str], lock: int) -> None:
    """Start a supervisor in a session of its own, so that it outlives the terminal.

    Args:
        folder: the run's folder.
        command: the command line; the lock's descriptor is added.
        lock: the folder's lock, which the supervisor inherits.

    Raises:
        OSError: its log can't be made.
        LaunchError: it can't be started.
    """
    with (folder / SUPERVISOR_LOG).open("ab") as log:
        try:
            # The shell ends at once, so that the supervisor is not a child of a notebook, which
            # would have to wait for it.
            subprocess.run(
                ["sh", "-c", '"$@" &', "sh", *command, str(lock)],
                check=True,
                env={k: v for k, v in os.environ.items() if k not in (MARKER, NODE_MARKER)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=[lock],
            )
        except subprocess.CalledProcessError as error:
            raise LaunchError(f"sh said {error}") from None


def observe(folder: Path, run: int, marker: str) -> Report:
    """Return what is seen of a run; what a lost supervisor left running is ended first.

    Args:
        folder: the run's folder.
        run: its number.
        marker: the variable, as `NAME=value`, that its processes have in their environment.
    """
    try:
        with locked(folder) as lock:
            if lock is None:
                return Report(Condition.ALIVE)
            if not is_claimed(folder, run):
                return Report(Condition.NOT_STARTED, last_line(folder / SUPERVISOR_LOG))
            left = end_leftovers(folder, run, marker)
            return Report(Condition.LOST, is_clean=left.complete)
    except FileNotFoundError:
        # There is no folder yet, or not any more.
        return Report(Condition.NOT_STARTED)


@contextmanager
def locked(folder: Path) -> Iterator[int | None]:
    """Take the lock of a folder; yield its descriptor, None if another process has it.

    Raises:
        OSError: the folder can't be used.
    """
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
        else:
            yield handle
    finally:
        os.close(handle)
