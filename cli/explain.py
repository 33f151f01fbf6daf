"""bai explain."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bai.cli import rules


def explain(
    path: Annotated[
        str,
        typer.Argument(
            help="A place of the language (job.horovod, cluster.scale), or a finding's code."
        ),
    ] = "experiment",
) -> None:
    """Document a part of the language, or a finding."""
    if rules.is_code(path):
        rules.rules(path)
        return
    from bai.cli.render.style import Style
    from bai.specs.explain import explain as explain_path

    try:
        found = explain_path(path)
    except LookupError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="PATH") from None
    style = Style(sys.stdout)
    typer.echo(f"{style(found.path, 'bold')}  {style(found.type, 'cyan')}")
    typer.echo(f"  {found.description}")
    if not found.children:
        return
    width = max(len(child.name) for child in found.children)
    typer.echo()
    for child in found.children:
        needed = style("required", "yellow") + ". " if child.required else ""
        name = style(child.name.ljust(width), "bold")
        typer.echo(f"  {name}  {style(child.type, 'cyan')}")
        typer.echo(f"  {'':{width}}  {needed}{child.description}")
