"""bai wait."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit
from bai.cli.sessions import open_session
from bai.cli.sweeps import standing, sweep_called


def wait(
    job: options.JobName,
    until: Annotated[
        str, typer.Option("--for", metavar="STATE", help="ended, succeeded, failed or running.")
    ] = "ended",
    timeout: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Longest wait, in seconds or as 90s, 1h30m; by default without limit.",
        ),
    ] = None,
    context: options.ContextName = None,
) -> None:
    """Wait for a job, or for all jobs of a sweep.

    The reason of a failure goes to stderr. Exit code: 0 the job reached the state (for `ended`: it
    succeeded), 1 it ended in another one, 2 timed out.
    """
    from bai.arguments import seconds
    from bai.cli.render.summary import end_of, print_errors

    options.one_of(until, ("ended", "succeeded", "failed", "running"), "--for")
    try:
        longest = None if timeout is None else seconds(timeout)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--timeout") from None
    session = open_session(context)
    if sweep := sweep_called(session, job):
        if until == "running":
            message = "a sweep is waited for until its jobs have ended"
            raise typer.BadParameter(message, param_hint="--for")
        typer.echo(standing(sweep.wait(longest)))
        outcome = "succeeded" if until == "ended" else until
        raise typer.Exit(Exit.OK if sweep.counts.keys() <= {outcome} else Exit.FAILED)
    handle = session.job(job)
    handle.report = options.note
    if until == "running":
        state = handle.wait_started(longest).state
        wanted = state.value in ("running", "terminating", "succeeded")
    else:
        state = handle.wait(longest).state
        wanted = state.value == ("succeeded" if until == "ended" else until)
    typer.echo(end_of(handle))
    print_errors(handle.attempt, sys.stderr)
    raise typer.Exit(Exit.OK if wanted else Exit.FAILED)
