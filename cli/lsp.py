"""bai lsp."""

from __future__ import annotations

import shlex
import sys

import typer

from bai.cli.exits import Exit


def lsp() -> None:
    """Run the language server for editors.

    It offers findings, completion and documentation, and uses the Language Server Protocol on
    standard input and output.
    """
    from importlib.util import find_spec

    if find_spec("pygls") is None:
        typer.echo(f"error: bai lsp needs pygls: {_installation()}", err=True)
        raise typer.Exit(Exit.USAGE)

    from bai.cli.terminal import standard_input
    from bai.lsp.server import serve

    standard_input()
    serve()


def _installation() -> str:
    """Return the command that installs what is missing, wherever bai itself is from."""
    from importlib.metadata import requires

    found = [text.partition(";") for text in requires("bai") or ()]
    wanted = [name.strip() for name, _, marker in found if "lsp" in marker]
    return shlex.join([sys.executable, "-m", "pip", "install", *wanted])
