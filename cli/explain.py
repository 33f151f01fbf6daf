"""bai explain."""

from __future__ import annotations

import re
import sys
import textwrap
from typing import Annotated, Final

import typer

from bai.cli import rules

_REQUIRED: Final = "required. "
_SHELLCHECK: Final = "SC[0-9]{4}"
_NARROWEST: Final = 30
"""Columns that a text gets on any terminal."""


def explain(
    path: Annotated[
        str,
        typer.Argument(
            help="A place of the language (job.horovod, cluster.scale), or a finding's code."
        ),
    ] = "experiment",
) -> None:
    """Explain a key of the language, or a finding."""
    if re.fullmatch(_SHELLCHECK, path, re.IGNORECASE):
        page = f"https://www.shellcheck.net/wiki/{path.upper()}"
        typer.echo(f"{path.upper()} is ShellCheck's own code: {page}\nbai reports it as BAI720:\n")
        path = "BAI720"
    if rules.is_like_code(path):
        rules.rules(path)
        return
    from bai.cli.render.style import Style
    from bai.cli.render.width import terminal_width, wrap
    from bai.specs.explain import explain as explain_path

    try:
        found = explain_path(path)
    except LookupError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="PATH") from None
    style = Style(sys.stdout)
    columns = terminal_width()
    typer.echo(f"{style(found.path, 'bold')}  {style(found.type, 'cyan')}")
    typer.echo(f"  {wrap(found.description, max(columns, 2 + _NARROWEST), 2, 2)}")
    if found.children:
        typer.echo()
    width = max((len(child.name) for child in found.children), default=0)
    for child in found.children:
        name = style(child.name.ljust(width), "bold")
        typer.echo(f"  {name}  {style(child.type, 'cyan')}")
        # Coloured after the lines are broken: colours take no columns.
        text = f"{_REQUIRED}{child.description}" if child.required else child.description
        indent = width + 4
        lines = wrap(text, max(columns, indent + _NARROWEST), indent, indent)
        typer.echo(" " * indent + lines.replace(_REQUIRED, style("required", "yellow") + ". ", 1))
    if found.example:
        typer.echo(f"\nexample:\n{textwrap.indent(found.example, '  ')}")
