"""bai get."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.sessions import open_session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bai.compiler.resources.ids import Kind
    from bai.runtime.jobs.records import LiveResource
    from bai.session import Session


def get(
    kind: Annotated[
        str, typer.Argument(help="jobs, clusters, nodes, experiments, fileServers or workspaces.")
    ] = "jobs",
    name: Annotated[
        str | None, typer.Argument(help="Show only this one; or write KIND/NAME.")
    ] = None,
    output: Annotated[
        str, options.output("table", "json", "yaml", "name", show_default=False)
    ] = "table",
    context: options.ContextName = None,
) -> None:
    """List jobs, clusters and other resources."""
    from bai.runtime.live_wire import to_live_wire

    if kind.partition("/")[0].lower() in ("node", "nodes"):
        from bai.cli.nodes import show_nodes

        show_nodes(open_session(context), name or kind.partition("/")[2] or None, output)
        return
    wanted, called = options.parse_name(kind, name)
    session = open_session(context)
    if output == "name" and not called:
        sys.stdout.writelines(f"{label}\n" for label in session.labels(wanted))
        return
    found = [session.find(wanted, called)] if called else list(session.iterate(wanted))
    if output == "name":
        typer.echo(session.label(found[0].id))
    elif output == "table":
        _table(wanted, found, session)
    else:
        data = [to_live_wire(live, session.provider) for live in found]
        shown = data[0] if called else data
        if output == "json":
            typer.echo(json.dumps(shown, indent=2, ensure_ascii=False))
        else:
            from bai.compiler.emit.yaml_form import yaml_text

            typer.echo(yaml_text(shown), nl=False)


def _table(kind: Kind, found: Sequence[LiveResource], session: Session) -> None:
    from bai.cli.render.rows import YIELDING, rows
    from bai.cli.render.table import print_table

    if not found:
        typer.echo(f"there are no {kind} in {session.context.state}", err=True)
        return
    head, lines = rows(found, session.provider)
    print_table(head, lines, sys.stdout, YIELDING)
