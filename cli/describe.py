"""bai describe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.kinds import parse_name

if TYPE_CHECKING:
    from bai.compiler.resources.ids import ResourceId
    from bai.session import Session


def describe(
    kind: Annotated[
        str,
        typer.Argument(
            help="job, cluster, experiment, fileServer or workspace.", show_default=False
        ),
    ],
    name: Annotated[
        str | None, typer.Argument(help="Name of it; or write KIND/NAME.", show_default=False)
    ] = None,
    context: options.ContextName = None,
) -> None:
    """Show one resource with all that is known of it."""
    from bai.compiler.emit.yaml_form import yaml_text
    from bai.compiler.resources.ids import Kind
    from bai.runtime.live_wire import to_live_wire
    from bai.session import connect

    wanted, called = parse_name(kind, name)
    if called is None:
        message = f"which {wanted.singular}? `bai get {wanted}` lists them"
        raise typer.BadParameter(message, param_hint="NAME")
    session = connect(context)
    live = session.find(wanted, called)
    typer.echo(yaml_text(to_live_wire(live, session.provider)), nl=False)
    if wanted is Kind.JOB:
        _attempts(session, live.id)


def _attempts(session: Session, id: ResourceId) -> None:
    from bai.cli.render.summary import print_summary

    for attempt in session.provider.attempts(id):
        job = session.handle(id, attempt.number)
        typer.echo(f"\nattempt {attempt.number} ({attempt.uuid})")
        print_summary(job, session.reference(id), sys.stdout)
        for event in job.events():
            stamp = event.time.astimezone().strftime("%Y-%m-%d %H:%M:%S")
            typer.echo(f"  {stamp}  {event.kind:<6}  {event.message}")
