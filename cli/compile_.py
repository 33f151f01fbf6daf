"""bai compile."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bai.cli import options


def compile_(
    files: options.SpecFiles,
    output: Annotated[str, options.output("json", "yaml")] = "json",
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            "-d",
            metavar="FOLDER",
            help="Write files for `az batchai` to this folder instead.",
        ),
    ] = None,
    submission: Annotated[
        bool,
        typer.Option(
            "--submission",
            help="Print what the context's engine would start for each job instead.",
        ),
    ] = False,
    max_nodes: options.MaxNodes = None,
    max_processes: options.MaxProcesses = None,
    parameter: options.Parameter = None,
    parameters: options.ParametersFile = None,
    context: options.ContextName = None,
) -> None:
    """Print the Batch AI resources that specs compile to."""
    from bai.cli.spec_files import checked_specs
    from bai.limits import Limits

    if submission and folder is not None:
        message = "it goes to the terminal, and not with --folder"
        raise typer.BadParameter(message, param_hint="--submission")
    experiment = checked_specs(files, context, parameter, parameters)
    limits = Limits(max_nodes, max_processes)
    if submission:
        from bai.cli.render.data import data_text

        typer.echo(data_text(experiment.submissions(limits=limits), output), nl=False)
        return
    from bai.cli.exits import Exit
    from bai.cli.render.findings import print_findings
    from bai.compiler.compilation import members_by_sweep
    from bai.compiler.passes.gpus import check_counts
    from bai.specs.findings import errors

    compilations = experiment.compile(limits)
    findings = [finding for each in compilations for finding in check_counts(each)]
    if folder is not None:
        findings = experiment.check_for_azure(compilations)
    if errors(findings):
        print_findings(findings, sys.stderr, experiment.texts)
        raise typer.Exit(Exit.USAGE)
    for compilation in compilations:
        members = members_by_sweep(compilation.resources) if compilation.sweeps else {}
        for sweep in compilation.sweeps:
            options.note(f"{sweep.id.label}: {sweep.summary(len(members.get(sweep.id, ())))}")
    if folder is None:
        from bai.compiler.emit.resources import to_json, to_yaml

        typer.echo((to_json if output == "json" else to_yaml)(compilations), nl=False)
        return
    from bai.compiler.emit.az import folder_name, to_files

    targets = {}
    for compilation in compilations:
        target = folder / folder_name(compilation) if len(compilations) > 1 else folder
        _make_folder(target)
        targets[target] = compilation
        # Before any file: the folder may be in the code.
        for written in experiment.write_code(compilation, target):
            typer.echo(f"wrote {written}")
    for target, compilation in targets.items():
        made = {target / path: text for path, text in to_files(compilation).items()}
        for path, text in made.items():
            path.write_text(text, "utf-8")
            typer.echo(f"wrote {path}")
        for path in sorted(set(target.glob("*.json")) - made.keys()):
            options.note(f"left {path}, which these specs do not compile to")
        for sweep in compilation.sweeps:
            if settings := ", ".join(sweep.to_json()):
                options.note(
                    f"{sweep.id.label}: Batch AI's files can't say {settings}: all jobs start"
                )
    print_findings(findings, sys.stderr, experiment.texts)


def _make_folder(folder: Path) -> None:
    """Make a folder and those above it.

    Raises:
        typer.BadParameter: a file is in the way.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        files = (path for path in (folder, *folder.parents) if path.is_file())
        message = f"{next(files, folder)} is a file, expected a folder"
        raise typer.BadParameter(message, param_hint="--folder") from None
