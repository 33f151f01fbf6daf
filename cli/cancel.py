"""bai cancel."""

from __future__ import annotations

import typer

from bai.cli import options
from bai.cli.sessions import open_session
from bai.cli.sweeps import standing, sweep_called


def cancel(job: options.JobName, context: options.ContextName = None) -> None:
    """End a job with all its processes, or all jobs of a sweep, and wait until they have ended."""
    session = open_session(context)
    if sweep := sweep_called(session, job):
        sweep.cancel()
        typer.echo(standing(sweep.wait()))
        return
    handle = session.job(job)
    handle.report = options.note
    if handle.state.ended:
        typer.echo(f"{handle.label} has ended already ({handle.attempt.outcome})")
        return
    handle.cancel()
    handle.wait()
    typer.echo(f"{handle.label} {handle.attempt.outcome}")
