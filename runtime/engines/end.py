"""How an attempt ends."""

from __future__ import annotations

from dataclasses import dataclass

from bai.runtime.provider.records import TERMINATED, ExecutionState, JobError


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
