"""bai context list|show."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bai.cli import options
from bai.cli.usage import Command, group

app = group("Show the contexts of bai.toml: the places to run.")


@app.command("list", cls=Command)
def list_() -> None:
    """List the contexts; a star marks the current one."""
    from bai.cli.render.table import print_table
    from bai.runtime.context import load_contexts, select

    contexts, _ = load_contexts(Path.cwd())
    current = select(None, Path.cwd()).name
    rows = [
        ["*" if name == current else "", name, str(context.state), str(context.engine.slots)]
        for name, context in contexts.items()
    ]
    print_table(["", "NAME", "STATE", "SLOTS"], rows, sys.stdout)


@app.command("show", cls=Command)
def show(
    name: Annotated[
        str | None, typer.Argument(help="Context to show; by default the current one.")
    ] = None,
    context: options.ContextName = None,
) -> None:
    """Show all values of a context."""
    from bai.runtime.context import select

    if name is not None and context not in (None, name):
        raise typer.BadParameter(f"{name!r}, but --context says {context!r}", param_hint="NAME")
    context = name if context is None else context
    found = select(context, Path.cwd())
    defaults, engine = found.defaults, found.engine
    values = {
        "name": found.name,
        "from": found.source or "built in",
        "state": found.state,
        "storage": engine.storage or found.state / "storage",
        "slots": engine.slots,
        "launcher": engine.launcher,
        "bind-to": engine.bind_to,
        "python": engine.python or sys.executable,
        "subscription": defaults.subscription,
        "resource-group": defaults.resource_group,
        "workspace": defaults.workspace,
        "location": defaults.location,
        "storage-account": defaults.storage_account or "not set",
    }
    for key, value in values.items():
        typer.echo(f"{key:<16} {value}")
