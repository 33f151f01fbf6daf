"""Writes reports to files."""

from __future__ import annotations

import os
from pathlib import Path

from bai.arguments import expect_path
from bai.handle import JobHandle
from bai.html_report.pages import job_page, sweep_page
from bai.html_report.template import html_of
from bai.runtime.errors import StorageError
from bai.specs.replacing import replaced
from bai.sweeps import SweepHandle


def write_report(subject: JobHandle | SweepHandle, target: str | os.PathLike[str]) -> Path:
    """Write an HTML page about a job or a sweep; return its path.

    The page needs neither other files nor a network. It has what is known now, also of a job that
    still runs.

    Args:
        subject: what it is about; of a job, this attempt.
        target: the file to write. One that is there is replaced.

    Raises:
        NotFoundError: the job was deleted.
        StorageError: the file can't be written.
    """
    expect_path(target, "one call for each")
    path = Path(target)
    page = job_page(subject) if isinstance(subject, JobHandle) else sweep_page(subject)
    text = html_of(page)
    try:
        with replaced(path) as written:
            written.write_text(text, "utf-8")
    except OSError as error:
        raise StorageError(f"can't write {path}: {error.strerror or error}") from None
    return path
