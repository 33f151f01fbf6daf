"""Following jobs to their end."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from bai.cli.exits import Exit
from bai.cli.render.live import LiveView, summary
from bai.job import JobHandle


def follow(jobs: Sequence[JobHandle]) -> Exit:
    """Show jobs until all have ended; Ctrl-C detaches and says how to come back."""
    try:
        LiveView(jobs).follow()
    except KeyboardInterrupt:
        typer.echo("\ndetached: the jobs go on" if len(jobs) > 1 else "\ndetached: the job goes on")
        for job in jobs:
            typer.echo(f"  reattach  bai logs -f {job.name}")
            typer.echo(f"  cancel    bai cancel {job.name}")
        return Exit.INTERRUPTED
    for job in jobs:
        summary(job)
    return result(jobs)


def result(jobs: Sequence[JobHandle]) -> Exit:
    """Return the exit code for jobs that have ended."""
    return Exit.OK if all(job.state.value == "succeeded" for job in jobs) else Exit.FAILED
