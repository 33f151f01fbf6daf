"""bai import."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit


def import_(
    files: Annotated[
        list[Path], typer.Argument(help="Batch AI's job, cluster and file server files.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write the spec to; by default it is printed.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the file of -o if it exists.")
    ] = False,
    name: Annotated[
        str | None, options.name("experiment; by default its file's or folder's", "--name", "-n")
    ] = None,
    job: Annotated[str | None, options.name("job; by default its file's or folder's")] = None,
    cluster: Annotated[str | None, options.name("cluster; by default its file's")] = None,
    workspace: Annotated[str | None, options.name("workspace")] = None,
    resource_group: Annotated[str | None, options.name("resource group")] = None,
    location: Annotated[
        str | None, typer.Option(metavar="REGION", help="Azure region of the workspace.")
    ] = None,
) -> None:
    """Turn Batch AI's own files into a compact spec."""
    from bai.cli.render.findings import print_findings
    from bai.compiler.importer.names import ImportNames
    from bai.importing import import_ as imported
    from bai.specs.findings import errors

    if output and output.is_file() and not force:
        message = f"{output} exists: add --force to overwrite it, or name another file"
        raise typer.BadParameter(message, param_hint="--output")
    names = ImportNames(
        experiment=name,
        job=job,
        cluster=cluster,
        workspace=workspace,
        resource_group=resource_group,
        location=location,
    )
    result = imported(*files, names=names)
    if result.findings:
        print_findings(result.findings, sys.stderr)
    if errors(result.findings):
        raise typer.Exit(Exit.USAGE)
    if output is None:
        typer.echo(result.text, nl=False)
    else:
        output.write_text(result.text, "utf-8")
        typer.echo(f"wrote {output}")
