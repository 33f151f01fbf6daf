"""The processes that run an attempt on this machine; arguments: FOLDER RUN KEEPER LOCK.

FOLDER is the attempt's folder, RUN the number of the run, KEEPER says in JSON how to take a keeper
step, and LOCK is a descriptor that has the attempt's lock. It was taken before these processes were
started, and is free as soon as none of them lives: no moment looks like a supervisor's loss, or
needs patience. Two processes share it. The first, the guardian, only waits for the second, the
supervisor; if that is killed, the guardian ends what it left behind and reports the failure. In the
end it imports the journal, and starts what waited for the nodes.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bai.runtime.jobs.journal import FileJournal, claim, read_journal
from bai.runtime.jobs.records import End, NodeName, lost
from bai.runtime.jobs.run_spec import RunSpec, read_run_spec
from bai.runtime.jobs.submitted import Submitted, read_submitted, remove_submitted
from bai.runtime.node import processes
from bai.runtime.node.environment import MARKER
from bai.runtime.node.leftovers import end_leftovers, remove_group
from bai.specs.errors import RuntimeFailure

if TYPE_CHECKING:
    from bai.runtime.node.machine import Agents

KEEP_SECONDS = 600
"""How long to retry a keeper step, on a full disk; after that, the next command takes one."""


def main() -> None:
    """Run an attempt on this machine, once, unless another process does or did."""
    guard()


def guard(
    agents: Callable[[RunSpec], Agents] | None = None, nodes: Sequence[NodeName] = ()
) -> None:
    """Run an attempt once, unless another process does or did.

    Args:
        agents: returns how the nodes of a run are reached; None if they are this machine.
        nodes: those that the engine's own queue has chosen; none if bai has allocated them.
    """
    folder, run, keeper = Path(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
    lock = int(sys.argv[4])
    # No program of the job inherits it.
    os.set_inheritable(lock, False)  # noqa: FBT003
    # Deleted meanwhile, there is no folder.
    if folder.is_dir() and _run(folder, run, lock, agents, nodes):
        _keep(*keeper)


def _run(
    folder: Path,
    run: int,
    lock: int,
    agents: Callable[[RunSpec], Agents] | None,
    nodes: Sequence[NodeName],
) -> bool:
    """Run it, if it is this process that claims it; return whether it is."""
    try:
        spec = read_run_spec(folder, run)
        spec = replace(spec, nodes=tuple(nodes) or spec.nodes)
        submitted = read_submitted(folder)
        journal = FileJournal(folder, run)
    except (OSError, RuntimeFailure) as error:
        # The last line of its log is the reason why there is no run.
        sys.exit(str(error))
    if not claim(folder, run):
        return False
    # A handler, unlike SIG_IGN, is not inherited by the programs of the job.
    signal.signal(signal.SIGHUP, lambda *_: None)
    processes.become_subreaper()
    if not _supervise(spec, submitted, journal, agents and agents(spec)):
        _mourn(spec, journal)
    remove_group(folder, run)
    end = _end(folder, run)
    if end and end.state.ended:
        remove_submitted(folder)
    os.close(lock)
    return True


def _supervise(
    spec: RunSpec, submitted: Submitted, journal: FileJournal, agents: Agents | None
) -> bool:
    """Run an attempt in a supervisor; False if that was killed."""
    supervisor = os.fork()
    if supervisor == 0:
        processes.become_subreaper()
        from bai.runtime.supervisor.run import run_attempt

        journal.claimed(str(os.getpid()), spec.nodes)
        end = run_attempt(spec, submitted, journal, agents)
        if end.state.ended:
            # Before the end is known, so that a job that has ended leaves no secrets.
            remove_submitted(Path(spec.folder))
        journal.end(end)
        if agents:
            agents.close()
        os._exit(0)
    # SIGTERM is for the supervisor, which ends the processes of the job.
    signal.signal(signal.SIGTERM, lambda *_: processes.send([supervisor], signal.SIGTERM))
    _, status = os.waitpid(supervisor, 0)
    return os.waitstatus_to_exitcode(status) == 0


def _mourn(spec: RunSpec, journal: FileJournal) -> None:
    """End what a killed supervisor left behind, and report that it was lost."""
    folder, mine = Path(spec.folder), os.getpid()
    marker = f"{MARKER}={spec.uuid}"
    left = end_leftovers(folder, spec.run, marker, lambda: processes.descendants(mine))
    journal.close()
    if _end(folder, spec.run) is None:
        # What the supervisor started became ours, however it detached.
        FileJournal(folder, spec.run).end(lost(is_clean=not left.survivors))


def _end(folder: Path, run: int) -> End | None:
    """Return the end that a run has reported; None if none."""
    records, _ = read_journal(folder, run)
    return next((record.as_end() for record in records if record.kind == "end"), None)


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
