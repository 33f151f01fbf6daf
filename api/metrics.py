"""Reporting from inside a job: `from bai.metrics import report`.

Nothing but the standard library, and no part of bai, is imported, so a training script pays nothing
for it. Outside a job `report` does nothing, and on a full disk it does not stop the training.
"""

from __future__ import annotations

import contextlib
import json
import os
import time

FILE_VARIABLE = "BAI_METRICS_FILE"
_RANKS = ("HOROVOD_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "RANK", "AZ_BATCHAI_TASK_INDEX")


def report(
    *,
    step: int | None = None,
    total: int | None = None,
    rank: int | None = None,
    **values: float,
) -> None:
    """Report metrics of a job, and how far it is.

    Args:
        step: steps done so far, epochs or batches.
        total: steps in all; with `step` it makes a progress line.
        rank: the process that reports; by default as Horovod or mpirun have numbered it.
        **values: named numbers, `loss=0.3` for one.
    """
    path = os.environ.get(FILE_VARIABLE)
    if not path:
        return
    record: dict[str, object] = {"time": time.time()}
    given = next((os.environ[name] for name in _RANKS if os.environ.get(name)), "")
    if rank is None and given.isdigit():
        rank = int(given)
    if rank is not None:
        record["rank"] = int(rank)
    if step is not None:
        record["step"] = step
    if total is not None:
        record["total"] = total
    record["values"] = {name: float(value) for name, value in values.items()}
    line = json.dumps(record).encode() + b"\n"
    with contextlib.suppress(OSError):
        # One write to a file opened for appending: lines of several ranks do not mix.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            os.write(handle, line)
        finally:
            os.close(handle)
