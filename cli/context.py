"""bai context list|show|use."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from bai.cli import options
from bai.cli.usage import Command, group

app = group("Show and choose the contexts of bai.toml: the places to run.")


def _names() -> list[str]:
    """Return the names of all contexts, for a shell that completes one."""
    from bai.runtime.context import load_contexts
    from bai.specs.errors import ContextError

    with suppress(ContextError):
        return list(load_contexts(Path.cwd())[0])
    return []


@app.command("list", cls=Command)
def list_() -> None:
    """List the contexts; a star marks the current one."""
    from bai.cli.render.table import print_table
    from bai.runtime.context import load_contexts, select
    from bai.specs.errors import ContextError

    contexts, _ = load_contexts(Path.cwd())
    current = select(None, Path.cwd()).name
    rows, wrong = [], []
    for name, context in contexts.items():
        star, state = "*" if name == current else "", "-"
        # One that can't be used here, as its engine is not installed, hides no other.
        try:
            state = str(context.state)
            context.check()
        except ContextError as error:
            wrong.append(str(error))
        rows.append([star, name, context.provider_name, context.engine_name, state])
    print_table(["", "NAME", "PROVIDER", "ENGINE", "STATE"], rows, sys.stdout, ["STATE"])
    for message in wrong:
        typer.echo(f"warning: {message}", err=True)


@app.command("show", cls=Command)
def show(
    name: Annotated[
        str | None,
        typer.Argument(help="Context to show; by default the current one.", autocompletion=_names),
    ] = None,
    context: options.ContextName = None,
) -> None:
    """Show all values of a context."""
    from bai.runtime.context import select
    from bai.specs.words import sized

    if name is not None and context not in (None, name):
        raise typer.BadParameter(f"{name!r}, but --context says {context!r}", param_hint="NAME")
    context = name if context is None else context
    found = select(context, Path.cwd())
    defaults, provider, engine = found.defaults, found.provider, found.engine
    values = {
        "name": found.name,
        "from": found.source or "built in",
        "subscription": defaults.subscription,
        "resource-group": defaults.resource_group,
        "workspace": defaults.workspace,
        "location": defaults.location,
        "cluster": defaults.cluster or "made to measure",
        "vm-size": defaults.vm_size,
        "code-limit": sized(found.code_limit),
        "storage-account": defaults.storage_account or "not set",
        "storage": found.storage,
        **{
            f"accounts.{name}.{key}": value
            for name, account in found.accounts.items()
            for key, value in account.shown().items()
        },
        **{
            f"file-servers.{name}.{key}": value
            for name, server in found.file_servers.items()
            for key, value in server.shown().items()
        },
        "provider.name": provider.name,
        **{f"provider.{key}": value for key, value in provider.shown().items()},
        "engine.name": engine.name,
        **{f"engine.{key}": value for key, value in engine.shown().items()},
    }
    width = max(map(len, values))
    for key, value in values.items():
        typer.echo(f"{key:<{width}}  {value}")


@app.command("use", cls=Command)
def use(
    name: Annotated[str, typer.Argument(help="Context to use from now on.", autocompletion=_names)],
) -> None:
    """Make a context the current one, in bai.toml."""
    from bai.runtime.context_switch import use as switch

    written = switch(name, Path.cwd())
    now = f"is now the current one in {written}" if written else "is the current one already"
    typer.echo(f"context {name} {now}")
    other = os.environ.get("BAI_CONTEXT")
    if other and other != name:
        typer.echo(f"warning: BAI_CONTEXT is set, so commands use {other}", err=True)
