"""bai explain."""

from __future__ import annotations

import re
import sys
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
    from bai.cli.render.width import terminal_width
    from bai.specs.explain import explain as explain_path

    try:
        found = explain_path(path)
    except LookupError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="PATH") from None
    style = Style(sys.stdout)
    columns = terminal_width()
    typer.echo(f"{style(found.path, 'bold')}  {style(found.type, 'cyan')}")
    typer.echo(_wrapped(found.description, 2, columns))
    if not found.children:
        return
    width = max(len(child.name) for child in found.children)
    typer.echo()
    for child in found.children:
        name = style(child.name.ljust(width), "bold")
        typer.echo(f"  {name}  {style(child.type, 'cyan')}")
        # Coloured after the lines are broken: colours take no columns.
        text = f"{_REQUIRED}{child.description}" if child.required else child.description
        lines = _wrapped(text, width + 4, columns)
        typer.echo(lines.replace(_REQUIRED, style("required", "yellow") + ". ", 1))


def _wrapped(text: str, indent: int, columns: int) -> str:
    """Return an indented text in lines of at most `columns` columns."""
    import textwrap

    margin = " " * indent
    return textwrap.fill(
        text,
        max(columns, indent + _NARROWEST),
        initial_indent=margin,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
