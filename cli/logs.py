"""bai logs."""

from __future__ import annotations

from typing import Annotated

import typer

from bai.cli import options


def logs(
    job: options.JobName,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on until the job has ended.")
    ] = False,
    rank: Annotated[
        int | None, typer.Option(help="Only the lines of this rank.", min=0, show_default=False)
    ] = None,
    attempt: Annotated[
        int | None, typer.Option(help="An earlier attempt.", min=1, show_default=False)
    ] = None,
    context: options.ContextName = None,
) -> None:
    """Print what a job's processes wrote."""
    from bai.session import connect

    handle = connect(context).job(job, attempt)
    if follow and rank is None:
        from bai.cli.follow import follow as follow_jobs

        raise typer.Exit(follow_jobs([handle]))
    for line in handle.logs(follow=follow, rank=rank):
        typer.echo(line.text if rank is not None else str(line))
