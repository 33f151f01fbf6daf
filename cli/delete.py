"""bai delete."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.kinds import parse_kind

if TYPE_CHECKING:
    from bai.compiler.resources.ids import ResourceId
    from bai.session import Session


def delete(
    kind: Annotated[
        str | None, typer.Argument(help="job, cluster, ...", show_default=False)
    ] = None,
    name: Annotated[str | None, typer.Argument(show_default=False)] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", help="Delete what this spec declares.", show_default=False),
    ] = None,
    yes: options.Yes = False,
    context: options.ContextName = None,
) -> None:
    """Delete resources with all below them; running jobs are cancelled first.

    What is in storage stays. The workspace of a spec stays, too.
    """
    from bai.session import connect

    if (file is None) == (kind is None or name is None):
        raise typer.BadParameter("give KIND and NAME, or -f FILE")
    session = connect(context)
    if file is None:
        ids = [session.find(parse_kind(kind or ""), name or "").id]
    else:
        ids = _declared(file, session, context)
    if not ids:
        typer.echo("nothing to delete")
        return
    if not yes and sys.stdin.isatty():
        names = ", ".join(f"{id.kind.singular}/{id.name}" for id in ids)
        typer.confirm(f"Delete {names}?", abort=True)
    for id in ids:
        session.provider.delete(id)
        typer.echo(f"{id.kind.singular}/{id.name} deleted")


def _declared(file: Path, session: Session, context: str | None) -> list[ResourceId]:
    from bai.compiler.resources.ids import Kind
    from bai.experiment import load

    experiment = load(file, context).check()
    found = [resource.id for each in experiment.compile() for resource in each.resources]
    found = [id for id in found if id.kind is not Kind.WORKSPACE and session.provider.get(id)]
    return sorted(found, key=lambda id: list(Kind).index(id.kind), reverse=True)
