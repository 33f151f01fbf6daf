"""bai logs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit


def logs(
    job: options.JobName,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Print new lines until the job has ended.")
    ] = False,
    rank: Annotated[
        str | None,
        typer.Option(
            metavar="RANK",
            help="Only the lines of this rank; for TensorFlow, of wk-0, ps-0 and so on.",
        ),
    ] = None,
    stream: Annotated[
        str | None, typer.Option(metavar="stdout|stderr", help="Only the lines of this stream.")
    ] = None,
    attempt: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Number of the attempt, from 1; by default the last.", min=1
        ),
    ] = None,
    context: options.ContextName = None,
) -> None:
    """Print what a job's processes wrote.

    With --follow, a terminal shows phases, progress and the end as well. The exit code is then 1 if
    the job failed; in a pipe, the reason goes to stderr.
    """
    from bai.arguments import STREAMS
    from bai.session import connect

    if stream is not None:
        options.one_of(stream, STREAMS, "--stream")
    session = connect(context)
    handle = session.job(job, attempt)
    if follow and sys.stdout.isatty():
        from bai.cli.follow import follow as follow_jobs

        raise typer.Exit(
            follow_jobs({session.reference(handle.id): handle}, sys.stdout, rank, stream)
        )

    from bai.cli.render.screen import format_line
    from bai.cli.render.style import Style

    style, empty = Style(sys.stdout), True
    for line in handle.logs(follow=follow, rank=rank, stream=stream):
        empty = False
        sys.stdout.write(format_line(line, style, ranks=rank is None) + "\n")
        if follow:
            sys.stdout.flush()
    if empty:
        source = handle.label
        if rank is not None:
            source = f"{f'rank {rank}' if rank.isdecimal() else rank} of {source}"
        typer.echo(f"{source} has written nothing{f' to {stream}' if stream else ''}", err=True)
    if follow:
        if handle.errors:
            from bai.cli.render.summary import end_of, print_errors

            # Two streams may end in one file: the lines come first.
            sys.stdout.flush()
            typer.echo(end_of(handle), err=True)
            print_errors(handle.attempt, sys.stderr)
        raise typer.Exit(Exit.OK if handle.state.value == "succeeded" else Exit.FAILED)
