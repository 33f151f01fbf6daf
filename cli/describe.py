"""bai describe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.sessions import open_session
from bai.cli.sweeps import describe_sweep, is_sweep

if TYPE_CHECKING:
    from bai.runtime.jobs.records import LiveResource
    from bai.session import Session


def describe(
    kind: Annotated[
        str, typer.Argument(help="job, sweep, cluster, experiment, fileServer or workspace.")
    ],
    name: options.ResourceName = None,
    context: options.ContextName = None,
) -> None:
    """Show one resource in full.

    For a job, its state and the places of its logs and outputs come first.
    """
    from bai.compiler.emit.yaml_form import yaml_text
    from bai.compiler.resources.ids import Kind
    from bai.runtime.live_wire import to_live_wire

    if is_sweep(kind):
        describe_sweep(open_session(context), name or kind.partition("/")[2])
        return
    wanted, called = options.parse_name(kind, name, "sweep")
    if called is None:
        message = f"which {wanted.singular}? `bai get {wanted}` lists them"
        raise typer.BadParameter(message, param_hint="NAME")
    session = open_session(context)
    live = session.find(wanted, called)
    details = yaml_text(to_live_wire(live, session.provider))
    if wanted is Kind.JOB:
        _job(session, live, details)
    else:
        typer.echo(details, nl=False)


def _job(session: Session, live: LiveResource, details: str) -> None:
    """Write how a job's newest attempt stands, its details, and what happened to each attempt."""
    from bai.cli.render.summary import print_summary
    from bai.runtime.plan.plan import files_have_changed

    name, newest = session.reference(live.id), session.handle(live.id)
    numbers = [each.number for each in session.provider.attempts(live.id)]
    older = [session.handle(live.id, each) for each in numbers if each < newest.attempt.number]
    print_summary(newest, name, sys.stdout)
    properties = live.wire["properties"]
    if newer := session.newer_files().of(properties, newest.attempt):
        typer.echo(f"  {files_have_changed(newer, newest.attempt.number)}")
    typer.echo(f"\n{details}", nl=False)
    for job in (*older, newest):
        typer.echo(f"\nattempt {job.attempt.number} ({job.attempt.uuid})")
        if job is not newest:
            print_summary(job, name, sys.stdout)
        for event in job.events():
            stamp = event.time.astimezone().strftime("%Y-%m-%d %H:%M:%S")
            typer.echo(f"  {stamp}  {event.kind:<6}  {event.message}")
