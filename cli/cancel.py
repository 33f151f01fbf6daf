"""bai cancel."""

from __future__ import annotations

import typer

from bai.cli import options
from bai.cli.sessions import open_session


def cancel(job: options.JobName, context: options.ContextName = None) -> None:
    """End a job with all its processes, and wait until it has ended."""
    handle = open_session(context).job(job)
    handle.report = options.note
    if handle.state.ended:
        typer.echo(f"{handle.label} has ended already ({handle.attempt.outcome})")
        return
    handle.cancel()
    handle.wait()
    typer.echo(f"{handle.label} {handle.attempt.outcome}")
