"""bai lsp."""

from __future__ import annotations

import typer

from bai.cli.exits import Exit


def lsp() -> None:
    """Run the language server for editors.

    It offers findings, completion and documentation, and uses the Language Server Protocol on
    standard input and output.
    """
    from importlib.util import find_spec

    if find_spec("pygls") is None:
        typer.echo("error: bai lsp needs pygls: pip install 'bai[lsp]'", err=True)
        raise typer.Exit(Exit.USAGE)

    from bai.cli.terminal import standard_input
    from bai.lsp.server import serve

    standard_input()
    serve()
