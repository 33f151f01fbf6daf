"""The record of an attempt whose supervisor was lost."""

from __future__ import annotations

from pathlib import Path

from bai.runtime.provider.live import ExecutionState, JobError
from bai.runtime.provider.store import Store

CODE = "JobSupervisorLost"


def record_lost(state: Path, uuid: str) -> None:
    """End an attempt as failed, if it has not ended."""
    store = Store(state)
    try:
        message = "The supervisor of the job was killed; all its processes were ended"
        store.finish(uuid, ExecutionState.FAILED, None, [JobError(CODE, message)])
    finally:
        store.close()
