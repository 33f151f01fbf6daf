"""bai cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from bai.cli import options
from bai.cli.sessions import open_session
from bai.cli.sweeps import named, standing

if TYPE_CHECKING:
    from bai.handle import JobHandle


def cancel(jobs: options.JobNames, context: options.ContextName = None) -> None:
    """End jobs with all their processes, and await their end.

    The name of a sweep stands for all of its jobs. Exit code: 0 all have ended, 2 one does not
    exist, and none was cancelled.
    """
    found, sweeps = named(open_session(context), jobs)
    ended = {job.id for job in found if job.state.ended}
    for sweep in sweeps:
        sweep.cancel()
    # A queued one must not start in the place of one that ends.
    for job in sorted(found, key=_has_started):
        job.cancel()
    for job in found:
        if job.id in ended:
            typer.echo(f"{job.label} has ended already ({job.outcome})")
        else:
            typer.echo(f"{job.label} {job.wait().outcome}")
    for sweep in sweeps:
        typer.echo(standing(sweep.wait()))


def _has_started(job: JobHandle) -> bool:
    return job.state.value != "queued"
