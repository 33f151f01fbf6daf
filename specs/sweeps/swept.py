"""Which jobs of a spec have a sweep."""

from __future__ import annotations

from typing import Any, Final

from bai.specs.document import value_at
from bai.specs.findings import Path

JOBS: Final[Path] = ("spec", "jobs")
KEY: Final = "sweep"


def has_sweeps(data: Any) -> bool:
    """Return whether a job in the data of a spec has a sweep."""
    jobs = value_at(data, JOBS)
    return isinstance(jobs, dict) and any(map(is_swept, jobs.values()))


def is_swept(job: Any) -> bool:
    """Return whether a job, as data, has a sweep."""
    return isinstance(job, dict) and isinstance(job.get(KEY), dict)
