"""bai delete."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bai.cli import options
from bai.cli.kinds import parse_name


def delete(
    kind: Annotated[
        str | None, typer.Argument(help="job, cluster, ...", show_default=False)
    ] = None,
    name: Annotated[str | None, typer.Argument(help="or KIND/NAME", show_default=False)] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", help="Delete what this spec declares.", show_default=False),
    ] = None,
    yes: options.Yes = False,
    context: options.ContextName = None,
) -> None:
    """Delete resources with all below them.

    Running jobs are cancelled first. What is in storage stays. Of what a spec declares, the
    workspace stays, and so does what jobs of other specs are in or run on.
    """
    from bai.experiment import load
    from bai.session import connect

    if (file is None) == (kind is None):
        raise typer.BadParameter("give KIND and NAME, or -f FILE")
    if file is not None:
        experiment = load(file, context=context).check()
        session = experiment.open()
        ids = experiment.living(session)
    else:
        wanted, called = parse_name(kind or "", name)
        if called is None:
            raise typer.BadParameter(f"which {wanted.singular}?", param_hint="NAME")
        session = connect(context)
        ids = [session.find(wanted, called).id]
    if not ids:
        typer.echo("nothing to delete")
        return
    if not yes and sys.stdin.isatty():
        names = ", ".join(id.label for id in ids)
        typer.confirm(f"Delete {names}?", abort=True)
    for id in ids:
        session.provider.delete(id)
        typer.echo(f"{id.label} deleted")
