"""bai describe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.kinds import parse_kind

if TYPE_CHECKING:
    from bai.session import Session


def describe(
    kind: Annotated[str, typer.Argument(help="job, cluster, ...", show_default=False)],
    name: Annotated[str, typer.Argument(show_default=False)],
    context: options.ContextName = None,
) -> None:
    """Show one resource with all that is known of it."""
    from bai.compiler.emit.resources import yaml_text
    from bai.compiler.resources.ids import Kind
    from bai.runtime.live_wire import to_live_wire
    from bai.session import connect

    wanted = parse_kind(kind)
    session = connect(context)
    live = session.find(wanted, name)
    typer.echo(yaml_text(to_live_wire(live, session.provider)), nl=False)
    if wanted is Kind.JOB:
        _attempts(session, name)


def _attempts(session: Session, name: str) -> None:
    from bai.cli.render.live import summary

    newest = session.job(name)
    for attempt in session.provider.attempts(newest.id):
        job = session.job(name, attempt.number)
        typer.echo(f"\nattempt {attempt.number} ({attempt.uuid})")
        summary(job, sys.stdout)
        for event in job.events():
            stamp = event.time.astimezone().strftime("%Y-%m-%d %H:%M:%S")
            typer.echo(f"  {stamp}  {event.kind:<6}  {event.message}")
