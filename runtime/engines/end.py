"""How an attempt ends, and the record of it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from bai.runtime.errors import StateError
from bai.runtime.provider.live import TERMINATED, ExecutionState, JobError
from bai.runtime.provider.store import Store

RECORD_SECONDS = 600
"""How long to try to record the end of an attempt, on a full disk for one."""


@dataclass(frozen=True, slots=True)
class End:
    """What there is to record."""

    state: ExecutionState
    exit_code: int | None = None
    errors: tuple[JobError, ...] = ()


def failed(code: str, message: str, exit_code: int | None = None, **details: str) -> End:
    """Return a failure, with Batch AI's error code and an exit code where there is one."""
    return End(ExecutionState.FAILED, exit_code, (JobError(code, message, details),))


def terminated() -> End:
    """Return the end of a job that its user cancelled."""
    return failed(TERMINATED, "The specified job has been terminated by the user")


def lost() -> End:
    """Return the end of a job whose supervisor was killed."""
    message = "The supervisor of the job was killed; all its processes were ended"
    return failed("JobSupervisorLost", message)


def record(store: Store, uuid: str, end: End) -> None:
    """Record the end of an attempt, if it has not ended; wait for room on a full disk.

    Raises:
        StateError: it could not be recorded in `RECORD_SECONDS`.
    """
    deadline = time.monotonic() + RECORD_SECONDS
    while True:
        try:
            store.finish(uuid, end.state, end.exit_code, end.errors)
        except StateError:
            if time.monotonic() > deadline:
                raise
            time.sleep(1)
        else:
            return
