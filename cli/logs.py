"""bai logs."""

from __future__ import annotations

import sys
from codecs import lookup
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit
from bai.cli.sessions import open_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bai.handle import JobHandle


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
    tail: Annotated[
        int | None,
        typer.Option(metavar="N", help="Only the last N of the lines that are there.", min=0),
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

    if stream is not None:
        options.one_of(stream, STREAMS, "--stream")
    session = open_session(context)
    handle = session.job(job, attempt)
    handle.report = options.note
    if follow and sys.stdout.isatty():
        from bai.cli.follow import follow as follow_jobs

        raise typer.Exit(
            follow_jobs({session.reference(handle.id): handle}, sys.stdout, (rank, stream, tail))
        )

    empty, write = True, _writer()
    for piece in _text(handle, follow=follow, rank=rank, stream=stream, tail=tail):
        empty = False
        write(piece)
        if follow:
            sys.stdout.flush()
    if empty and tail != 0:
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
        raise typer.Exit(Exit.FAILED if handle.attempt.has_failed else Exit.OK)


def _text(
    handle: JobHandle, *, follow: bool, rank: str | None, stream: str | None, tail: int | None
) -> Iterator[bytes]:
    """Return the lines of a job as they are shown, in UTF-8."""
    from bai.cli.render.style import Style, coloured

    if not coloured(sys.stdout):
        return handle.log_text(follow=follow, rank=rank, stream=stream, tail=tail)
    from bai.cli.render.screen import format_line

    style = Style(sys.stdout)
    lines = handle.logs(follow=follow, rank=rank, stream=stream, tail=tail)
    return (f"{format_line(line, style, ranks=rank is None)}\n".encode() for line in lines)


def _writer() -> Callable[[bytes], object]:
    """Return what writes text in UTF-8 to stdout, whatever its encoding."""
    if lookup(sys.stdout.encoding).name == "utf-8":
        return sys.stdout.buffer.write
    return lambda text: sys.stdout.write(text.decode())
