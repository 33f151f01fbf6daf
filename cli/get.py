"""bai get."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bai.cli import options
from bai.cli.sessions import open_session
from bai.cli.sweeps import is_sweep, show_sweeps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bai.compiler.resources.ids import Kind
    from bai.runtime.jobs.records import LiveResource
    from bai.session import Session

_KINDS: Final = "jobs, sweeps, clusters, nodes, experiments, fileServers or workspaces."
LIMIT: Final = 1_000
"""How many resources a table on a terminal shows, besides the jobs that run."""


def get(
    kind: Annotated[str, typer.Argument(help=_KINDS)] = "jobs",
    name: Annotated[
        str | None, typer.Argument(help="Show only this one; or write KIND/NAME.")
    ] = None,
    output: Annotated[
        str, options.output("table", "json", "yaml", "name", show_default=False)
    ] = "table",
    all_: Annotated[
        bool,
        typer.Option(
            "--all",
            help=f"Show all on a terminal: more than the newest {LIMIT:,} and the jobs that run.",
        ),
    ] = False,
    context: options.ContextName = None,
) -> None:
    """List jobs, clusters and other resources."""
    if kind.partition("/")[0].lower() in ("node", "nodes"):
        from bai.cli.nodes import show_nodes

        show_nodes(open_session(context), name or kind.partition("/")[2] or None, output)
        return
    if is_sweep(kind):
        show_sweeps(open_session(context), name or kind.partition("/")[2] or None, output)
        return
    wanted, called = options.parse_name(kind, name, "nodes", "sweeps")
    session = open_session(context)
    if output == "name" and not called:
        sys.stdout.writelines(f"{label}\n" for label in session.labels(wanted))
        return
    if not called:
        _list(wanted, session, output, is_limited=sys.stdout.isatty() and not all_)
        return
    found = session.find(wanted, called)
    match output:
        case "name":
            typer.echo(session.label(found.id))
        case "table":
            _table([found], session)
        case _:
            from bai.cli.render.data import data_text
            from bai.runtime.live_wire import to_live_wire

            typer.echo(data_text(to_live_wire(found, session.provider), output), nl=False)


def _list(kind: Kind, session: Session, output: str, *, is_limited: bool) -> None:
    """Print all resources of a kind; of a table that is limited, what is recent."""
    if output != "table":
        from bai.cli.render.data import list_texts
        from bai.runtime.live_wire import to_live_wire

        found = (to_live_wire(live, session.provider) for live in session.iterate(kind))
        sys.stdout.writelines(list_texts(found, output, is_terminal=sys.stdout.isatty()))
        return
    shown = _table(session.recent(kind, LIMIT) if is_limited else session.iterate(kind), session)
    if not shown:
        typer.echo(f"there are no {kind} in {session.context.state}", err=True)
    elif is_limited and shown >= LIMIT and (total := session.count(kind)) > shown:
        from bai.cli.render.table import print_note

        older = f", and {shown - LIMIT:,} older that run" if shown > LIMIT else ""
        text = f"the newest {LIMIT:,} of {total:,} {kind}{older}; --all shows the rest"
        print_note(text, sys.stdout)


def _table(found: Iterable[LiveResource], session: Session) -> int:
    """Print a table, unless it is empty; return how many rows it has."""
    from bai.cli.render.rows import YIELDING, rows
    from bai.cli.render.table import print_table

    head, lines = rows(found, session.provider)
    if lines:
        print_table(head, lines, sys.stdout, YIELDING)
    return len(lines)
