"""bai report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bai.cli import options
from bai.cli.sessions import open_session
from bai.cli.sweeps import sweep_called


def report(
    name: Annotated[str, typer.Argument(metavar="JOB|SWEEP", help="The name of a job or a sweep.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to write; by default NAME.report.html in this folder, of a sweep "
            "NAME.sweep.report.html.",
            dir_okay=False,
        ),
    ] = None,
    attempt: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Number of a job's attempt, from 1; by default the last.", min=1
        ),
    ] = None,
    context: options.ContextName = None,
) -> None:
    """Write a page about a job or a sweep, for any browser.

    It is one file of HTML that needs no network. It shows how the job ended and why, what it did
    when, its metrics, logs, spec and files.
    """
    from bai.html_report.writing import write_report

    session = open_session(context)
    sweep = sweep_called(session, name)
    if sweep and attempt:
        raise typer.BadParameter("a sweep has no attempts; its jobs do", param_hint="--attempt")
    subject = sweep or session.job(name, attempt)
    default = f"{subject.name}{'.sweep' if sweep else ''}.report.html"
    written = write_report(subject, output or default)
    typer.echo(f"wrote {written}")
