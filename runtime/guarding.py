"""Runs something once, in processes whose death is noticed; arguments: FOLDER RUN KEEPER LOCK.

FOLDER has the run's files, RUN is its number, KEEPER says in JSON how to take a keeper step, and
LOCK is a descriptor that has the folder's lock. It was taken before these processes were started,
and is free as soon as none of them lives: no moment looks like a supervisor's loss, or needs
patience. Two processes share it. The first, the guardian, claims the run and only waits for the
second, the supervisor; if that is killed, the guardian ends what it left behind and reports the
failure. In the end it takes a keeper step, which imports what happened and starts what waited for
it. When the supervisor wakes it before, it only has reports compared: what it would start now would
count as its own.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from bai.runtime.jobs.journal import FileJournal, claim, reported_end
from bai.runtime.jobs.records import End, NodeName
from bai.runtime.node import processes
from bai.runtime.node.leftovers import end_leftovers, remove_group
from bai.specs.errors import RuntimeFailure

KEEP_SECONDS = 600
"""How long to retry a keeper step, on a full disk; after that, the next command takes one."""

COMPARE_SECONDS = 1.0
"""The shortest time from one comparison of reports to the next one."""


class Guarded(Protocol):
    """What is run once: a run of an attempt, or of a node's setup task."""

    @property
    def nodes(self) -> Sequence[NodeName]:
        """The nodes that it runs on."""

    @property
    def marker(self) -> str:
        """The variable, as `NAME=value`, that all its processes have in their environment."""

    def run(self, journal: FileJournal, wake: Callable[[], None]) -> End:
        """Run it, in the supervisor, and return how it ended.

        Args:
            journal: where to report.
            wake: has what was reported compared soon, with what others report.
        """

    def lost(self, *, is_clean: bool) -> End | None:
        """Return the end to report if the supervisor was killed; None to report none.

        Args:
            is_clean: whether it is certain that nothing of it is left.
        """

    def discard(self, end: End) -> None:
        """Remove what is not needed any more after an end, which is not known to others yet."""

    def close(self) -> None:
        """Release the machines that it ran on."""


def guard(load: Callable[[Path, int], Guarded]) -> None:
    """Run something once, unless another process does or did.

    Args:
        load: returns what to run, of a folder and a number; may raise OSError or RuntimeFailure.
    """
    folder, run, keeper = Path(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
    lock = int(sys.argv[4])
    # No program that is run inherits it.
    os.set_inheritable(lock, False)  # noqa: FBT003
    # Deleted meanwhile, there is no folder.
    if folder.is_dir() and _run(folder, run, lock, load, partial(_compare, *keeper)):
        _keep(*keeper)


def _run(
    folder: Path,
    run: int,
    lock: int,
    load: Callable[[Path, int], Guarded],
    compare: Callable[[], None],
) -> bool:
    """Run it, if it is this process that claims it; return whether it is."""
    try:
        guarded = load(folder, run)
        journal = FileJournal(folder, run)
    except (OSError, RuntimeFailure) as error:
        # The last line of its log is the reason why there is no run.
        sys.exit(str(error))
    if not claim(folder, run):
        return False
    # A handler, unlike SIG_IGN, is not inherited by the programs that are run.
    signal.signal(signal.SIGHUP, lambda *_: None)
    processes.become_subreaper()
    if not _supervise(guarded, journal, compare):
        _mourn(guarded, journal, folder, run)
    remove_group(folder, run)
    if end := reported_end(folder, run):
        guarded.discard(end)
    os.close(lock)
    return True


def _supervise(guarded: Guarded, journal: FileJournal, compare: Callable[[], None]) -> bool:
    """Run it in a supervisor; False if that was killed."""
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    supervisor = os.fork()
    if supervisor == 0:
        os.close(woken)
        processes.become_subreaper()
        journal.claimed(str(os.getpid()), guarded.nodes)
        end = guarded.run(journal, partial(_wake, waking))
        # Before the end is known, so that what has ended leaves no secrets.
        guarded.discard(end)
        journal.end(end)
        guarded.close()
        os._exit(0)
    # SIGTERM is for the supervisor, which ends the processes.
    signal.signal(signal.SIGTERM, lambda *_: processes.send([supervisor], signal.SIGTERM))
    os.close(waking)
    _serve(supervisor, woken, compare)
    os.close(woken)
    _, status = os.waitpid(supervisor, 0)
    return os.waitstatus_to_exitcode(status) == 0


def _wake(waking: int) -> None:
    # A pipe that is full wakes, and without a guardian there is nobody to wake.
    with suppress(BlockingIOError, BrokenPipeError):
        os.write(waking, b"\n")


def _serve(supervisor: int, woken: int, compare: Callable[[], None]) -> None:
    """Have reports compared whenever the supervisor asks for it, until it ends."""
    ended = os.pidfd_open(supervisor)
    try:
        while ended not in (ready := select.select([ended, woken], [], [])[0]):
            if woken in ready and not os.read(woken, 1 << 16):
                # The supervisor is about to end.
                return
            compare()
            select.select([ended], [], [], COMPARE_SECONDS)
    finally:
        os.close(ended)


def _mourn(guarded: Guarded, journal: FileJournal, folder: Path, run: int) -> None:
    """End what a killed supervisor left behind, and report that it was lost."""
    mine = os.getpid()
    left = end_leftovers(folder, run, guarded.marker, lambda: processes.descendants(mine))
    journal.close()
    # What the supervisor started became ours, however it detached.
    end = guarded.lost(is_clean=not left.survivors)
    if end and reported_end(folder, run) is None:
        FileJournal(folder, run).end(end)


def _compare(state: str, engine: str, settings: dict[str, Any]) -> None:
    """Have reports compared, if that can be done now."""
    # The next comparison or command does what can't be done now; the guardian must not end for it.
    with suppress(Exception):
        from bai.runtime.open import compare

        compare(Path(state), engine, settings)


def _keep(state: str, engine: str, settings: dict[str, Any]) -> None:
    """Take a keeper step, as soon as the state can be written."""
    from bai.runtime.open import keep

    deadline = time.monotonic() + KEEP_SECONDS
    while True:
        try:
            keep(Path(state), engine, settings)
        except RuntimeFailure as error:
            if time.monotonic() > deadline:
                sys.exit(str(error))
            time.sleep(1)
        else:
            return
