"""The process that runs one attempt; its arguments are the state's folder and the attempt's uuid.

Two processes share the attempt's lock. The first, the guardian, only waits for the second, the
supervisor; if that is killed, the guardian ends what it left behind and records the failure.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from pathlib import Path

from bai.runtime.jobs.paths import attempt_folder
from bai.runtime.node import processes
from bai.runtime.node.environment import MARKER

SUPERVISORS = 3
"""How many supervisors a queued attempt gets, one after the other; the next command tries again."""


def main() -> None:
    """Run an attempt, unless another process does already."""
    state, uuid = Path(sys.argv[1]), sys.argv[2]
    folder = attempt_folder(state, uuid)
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    # A handler, unlike SIG_IGN, is not inherited by the programs of the job.
    signal.signal(signal.SIGHUP, lambda *_: None)
    processes.become_subreaper()
    for _ in range(SUPERVISORS):
        if _supervise(state, uuid) or not _mourn(state, uuid):
            return


def _supervise(state: Path, uuid: str) -> bool:
    """Run an attempt in a supervisor; False if that was killed."""
    supervisor = os.fork()
    if supervisor == 0:
        # The handler below, of an earlier round.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        processes.become_subreaper()
        from bai.runtime.supervisor.database_run import run_in_database

        run_in_database(state, uuid)
        os._exit(0)
    # SIGTERM is for the supervisor, which ends the processes of the job.
    signal.signal(signal.SIGTERM, lambda *_: processes.send([supervisor], signal.SIGTERM))
    _, status = os.waitpid(supervisor, 0)
    return os.waitstatus_to_exitcode(status) == 0


def _mourn(state: Path, uuid: str) -> bool:
    """End what a killed supervisor left behind, and record that it was lost.

    Returns:
        True if nothing had begun: the attempt is queued as before, and waits for a supervisor.
    """
    from bai.runtime.jobs.recording import record
    from bai.runtime.jobs.records import lost
    from bai.runtime.provider.store import Store

    store = Store(state)
    if store.attempts.requeue(uuid):
        return True
    mine = os.getpid()
    marker = f"{MARKER}={uuid}"
    processes.end(lambda: [*processes.descendants(mine), *processes.marked(marker)])
    record(store, uuid, lost())
    return False
