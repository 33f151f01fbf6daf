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
    wire: options.Wire = False,
    context: options.ContextName = None,
) -> None:
    """Show one resource in full.

    How it stands comes first, of a job also the places of its logs and outputs; then what a spec
    says to declare it.
    """
    from bai.compiler.resources.ids import Kind

    if is_sweep(kind):
        describe_sweep(open_session(context), name or kind.partition("/")[2])
        return
    wanted, called = options.parse_name(kind, name, "sweep")
    if called is None:
        message = f"which {wanted.singular}? `bai get {wanted}` lists them"
        raise typer.BadParameter(message, param_hint="NAME")
    session = open_session(context)
    live = session.find(wanted, called)
    details = _details(session, live, wire=wire)
    if wanted is Kind.JOB:
        _job(session, live, details)
    elif wire:
        typer.echo(details, nl=False)
    else:
        _other(session, live, details)


def _details(session: Session, live: LiveResource, *, wire: bool) -> str:
    """Return a resource as YAML; nothing of one that a spec says nothing about."""
    from bai.compiler.emit.yaml_form import yaml_text
    from bai.compiler.importer.spec_form import spec_form
    from bai.runtime.live_wire import to_live_wire

    if wire:
        return yaml_text(to_live_wire(live, session.provider))
    form = spec_form(live.id, live.wire)
    if "code" in form and (size := session.code_size(live)):
        form["code"] += f" ({size})"
    return yaml_text(form) if form else ""


def _other(session: Session, live: LiveResource, details: str) -> None:
    """Write how a resource stands that is no job, and its details."""
    from bai.cli.nodes import print_node_errors
    from bai.cli.render.table import age
    from bai.compiler.resources.ids import Kind
    from bai.specs.words import counted

    line = f"{session.label(live.id)} created {age(live.created)} ago"
    if live.id.kind is Kind.CLUSTER:
        states = session.provider.node_states(live.id)
        busy = ", ".join(f"{count} {state}" for state, count in states.items() if count)
        line += f", {counted(sum(states.values()), 'node')}{busy and f': {busy}'}"
    typer.echo(f"{line}, is being deleted" if live.is_deleting else line)
    if live.id.kind is Kind.CLUSTER:
        print_node_errors(session, session.provider.nodes(live.id))
    if details:
        typer.echo(f"\n{details}", nl=False)


def _job(session: Session, live: LiveResource, details: str) -> None:
    """Write how a job's newest attempt stands, its details, and what happened to each attempt."""
    from bai.cli.render.summary import print_summary
    from bai.runtime.plan.plan import files_have_changed

    name, newest = session.reference(live.id), session.handle(live.id)
    numbers = [each.number for each in session.provider.attempts(live.id)]
    older = [session.handle(live.id, each) for each in numbers if each < newest.attempt.number]
    print_summary(newest, name, sys.stdout, places=True)
    properties = live.wire["properties"]
    if newer := session.newer_files().of(properties, newest.attempt):
        typer.echo(f"  {files_have_changed(newer, newest.attempt.number)}")
    typer.echo(f"\n{details}", nl=False)
    for job in (*older, newest):
        typer.echo(f"\nattempt {job.attempt.number} ({job.attempt.uuid})")
        if job is not newest:
            print_summary(job, name, sys.stdout, places=True)
        for event in job.events():
            stamp = event.time.astimezone().strftime("%Y-%m-%d %H:%M:%S")
            typer.echo(f"  {stamp}  {event.kind:<6}  {event.message}")
