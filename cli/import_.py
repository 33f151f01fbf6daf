"""bai import."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli.exits import Exit

if TYPE_CHECKING:
    from bai.specs.document import Document
    from bai.specs.findings import Finding


def import_(
    files: Annotated[
        list[Path],
        typer.Argument(help="Batch AI's job, cluster and file server files.", show_default=False),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write the spec to.", show_default=False),
    ] = None,
    name: Annotated[str, typer.Option("--name", "-n", help="Name of the experiment.")] = "imported",
    job: Annotated[str, typer.Option(help="Name of the job.")] = "job",
    cluster: Annotated[str, typer.Option(help="Name of the cluster.")] = "cluster",
    workspace: Annotated[
        str | None, typer.Option(help="Name of the workspace.", show_default=False)
    ] = None,
    resource_group: Annotated[
        str | None, typer.Option(help="Name of the resource group.", show_default=False)
    ] = None,
    location: Annotated[str | None, typer.Option(help="Region.", show_default=False)] = None,
) -> None:
    """Turn Batch AI's own files into a compact spec."""
    from bai.cli.render.findings import print_findings
    from bai.compiler.importer.importer import ImportNames, import_files
    from bai.specs.findings import errors
    from bai.specs.reader import read

    documents: list[Document] = []
    findings: list[Finding] = []
    for file in files:
        found, wrong = read(file.read_bytes(), str(file))
        documents += found
        findings += wrong
    names = ImportNames(
        experiment=name,
        job=job,
        cluster=cluster,
        workspace=workspace,
        resource_group=resource_group,
        location=location,
    )
    result = import_files(documents, names)
    findings += result.findings
    if findings:
        print_findings(findings, sys.stderr)
    if errors(findings):
        raise typer.Exit(Exit.USAGE)
    if output is None:
        typer.echo(result.text, nl=False)
    else:
        output.write_text(result.text, "utf-8")
        typer.echo(f"wrote {output}")
