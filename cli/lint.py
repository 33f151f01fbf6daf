"""bai lint."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit


def lint(
    files: Annotated[
        list[Path], typer.Argument(help="Specs; - is standard input.", show_default=False)
    ],
    context: options.ContextName = None,
) -> None:
    """Check specs without running anything.

    Exit code: 0 clean, 1 findings, 2 wrong usage.
    """
    from bai.cli.render.findings import print_findings
    from bai.cli.spec_files import open_specs

    clean = True
    for file in files:
        experiment, text = open_specs([file], context)
        if found := experiment.lint():
            clean = False
            print_findings(found, sys.stdout, text)
    if not clean:
        raise typer.Exit(Exit.FAILED)
    typer.echo(f"{len(files)} file{'s' if len(files) != 1 else ''} checked, no findings")
