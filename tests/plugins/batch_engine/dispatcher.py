"""The process that starts what waits in the queue; arguments: FOLDER NODES.

It ends when the queue is empty; the next submission starts another one.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from bai.runtime.engines.local.supervised import SUPERVISOR_LOG
from batch_engine.queue import Queue, Submitted


def main() -> None:
    """Serve the queue until it is empty, unless another process does."""
    queue = Queue(Path(sys.argv[1]), int(sys.argv[2]))
    served = True
    # What is submitted while the bell is being closed is seen afterwards.
    while served and (queue.waiting() or queue.running()):
        served = _serve(queue)


def _serve(queue: Queue) -> bool:
    """Serve the queue until it is empty; False if another process does."""
    lock = os.open(queue.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    bell = os.open(queue.folder / "bell", os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for run in queue.running():
            # Those of a dispatcher that was killed.
            _watch(queue, run, None)
        while True:
            _start_what_fits(queue)
            if not queue.waiting() and not queue.running():
                return True
            os.read(bell, 4096)
    except BlockingIOError:
        return False
    finally:
        os.close(bell)
        os.close(lock)


def _start_what_fits(queue: Queue) -> None:
    """Start runs in order, up to the first one that lacks nodes."""
    free = queue.free()
    for run in queue.waiting():
        if run.count > len(free):
            return
        # From the queue to its end, somebody has the lock of the attempt, or the run is lost.
        with _locked(run) as lock:
            started = queue.start(run, free[: run.count])
            if started:
                free = free[run.count :]
                _watch(queue, started, _process(started, lock))


def _process(run: Submitted, lock: int) -> subprocess.Popen[bytes] | None:
    """Start a run, which inherits the lock; None if its program is missing, as its log says."""
    with Path(run.folder, SUPERVISOR_LOG).open("ab") as log:
        try:
            return subprocess.Popen(
                [*run.command, str(lock)],
                env={**os.environ, "BATCH_NODES": " ".join(run.nodes)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=[lock],
            )
        except OSError as error:
            log.write(f"{error}\n".encode())
            return None


def _watch(queue: Queue, run: Submitted, process: subprocess.Popen[bytes] | None) -> None:
    """Take the nodes of a run back as soon as nothing runs it any more."""

    def watch() -> None:
        if process:
            process.wait()
        # The supervisor has this lock as well, and may live longer.
        with _locked(run):
            queue.end(run)
        queue.ring()

    Thread(target=watch, daemon=True).start()


@contextmanager
def _locked(run: Submitted) -> Iterator[int]:
    """Wait for the lock of a run's attempt, and yield its descriptor."""
    # Removed with its job, the folder is gone, and so is all that could have its lock.
    folder = Path(run.folder)
    lock = os.open(folder / "lock" if folder.is_dir() else os.devnull, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock
    finally:
        os.close(lock)
