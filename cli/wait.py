"""bai wait."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit
from bai.cli.sessions import open_session
from bai.cli.sweeps import named, print_failed, standing

if TYPE_CHECKING:
    from bai.handle import JobHandle
    from bai.sweeps import SweepHandle


def wait(
    jobs: options.JobNames,
    until: Annotated[
        str, typer.Option("--for", metavar="STATE", help="ended, succeeded, failed or running.")
    ] = "ended",
    timeout: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Longest wait for all together, in seconds or as 90s, 1h30m; by default without "
            "limit.",
        ),
    ] = None,
    context: options.ContextName = None,
) -> None:
    """Wait for jobs.

    The name of a sweep stands for all of its jobs. The reason of a failure goes to stderr.
    Exit code: 0 all jobs reached the state (for `ended`: they succeeded, or their sweep stopped
    them early), 1 one ended in another one, 2 timed out, or one does not exist.
    """
    from bai.arguments import seconds
    from bai.runtime.errors import WaitTimeoutError

    options.one_of(until, ("ended", "succeeded", "failed", "running"), "--for")
    try:
        longest = None if timeout is None else seconds(timeout)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--timeout") from None
    found, sweeps = named(open_session(context), jobs)
    if sweeps and until == "running":
        message = "a sweep is waited for until its jobs have ended"
        raise typer.BadParameter(message, param_hint="--for")
    begun, code = time.monotonic(), Exit.OK
    waited: list[JobHandle | SweepHandle] = [*found, *sweeps]
    for each in waited:
        try:
            code = max(code, _await(each, until, longest, begun))
        except WaitTimeoutError as error:
            typer.echo(f"error: {error}", err=True)
            code = Exit.USAGE
    raise typer.Exit(code)


def _await(each: JobHandle | SweepHandle, until: str, longest: float | None, begun: float) -> Exit:
    """Wait for a job or a sweep, and write how it stands.

    Raises:
        WaitTimeoutError: it took too long.
    """
    from bai.cli.render.summary import end_of, print_errors, print_last_lines
    from bai.handle import JobHandle

    if not isinstance(each, JobHandle):
        typer.echo(standing(each.wait(longest, begun)))
        print_failed(each, sys.stderr)
        wanted_ones = {"succeeded", "stopped early"} if until == "ended" else {until}
        return Exit.OK if each.counts.keys() <= wanted_ones else Exit.FAILED
    job = each
    if until == "running":
        state = job.wait_started(longest, begun).state
        wanted = state.value in ("running", "terminating", "succeeded")
    else:
        state = job.wait(longest, begun).state
        wanted = state.value == until if until != "ended" else not job.attempt.has_failed
    typer.echo(end_of(job))
    print_errors(job.attempt, sys.stderr)
    print_last_lines(job, job.label.partition("/")[2], sys.stderr)
    return Exit.OK if wanted else Exit.FAILED
