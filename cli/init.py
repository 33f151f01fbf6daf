"""bai init."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from bai.cli import options
from bai.cli.exits import Exit
from bai.cli.init_script import USUAL, Script, script_in

_TEMPLATES: Final = Path(__file__).with_name("templates")
"""A folder for each template, with a spec and its script."""
_SPEC: Final = "experiment.yaml"
_NAME_LINE: Final = "  name: first\n"
"""The line of a template that gets the experiment's name."""
_NAMES: Final = ("pytorch", "keras", "custom")
_FRAMEWORKS: Final = {"pytorch": ("torch", "PyTorch"), "keras": ("tensorflow", "TensorFlow")}
"""Template -> (the package that its script imports beside Horovod, what people call it)."""
_LOOK: Final = "import importlib.util as u, sys; print(*filter(u.find_spec, sys.argv[1:]))"
"""Prints those of the packages named in its arguments that are installed, and imports none."""


def init(
    folder: Annotated[
        Path, typer.Argument(help="Folder to write to; made if it is not there.")
    ] = Path(),
    template: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(_NAMES),
            help="What the job runs; by default what is installed decides.",
            callback=lambda value: value and options.one_of(value, _NAMES, "--template"),
        ),
    ] = None,
    files: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="FILE...",
            help="Turn these job, cluster and file server files of Batch AI's into the spec.",
        ),
    ] = None,
    name: Annotated[
        str | None, options.name("experiment; by default the folder's", "--name", "-n")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help=f"Overwrite {_SPEC}; scripts are never overwritten.")
    ] = False,
) -> None:
    """Write a first spec, and a script if there is none."""
    if files and template:
        message = "leave it out: with --from, the job runs what its file says"
        raise typer.BadParameter(message, param_hint="--template")
    if folder.exists() and not folder.is_dir():
        raise typer.BadParameter(f"{folder} is a file: name a folder", param_hint="FOLDER")
    spec = folder / _SPEC
    if os.path.lexists(spec) and not force:
        message = f"{spec} exists: add --force to overwrite it, or name another folder"
        raise typer.BadParameter(message, param_hint="FOLDER")
    if files:
        _write(spec, _imported(files, name))
    else:
        found = script_in(folder)
        chosen = template or (_template_for(found) if found else _fitting_template())
        script = folder / (found.name if found else USUAL)
        _write(spec, _filled(chosen, _experiment_name(folder, name), script.name))
        if os.path.lexists(script):
            typer.echo(f"kept {script}, which the job runs")
        else:
            _write(script, (_TEMPLATES / chosen / USUAL).read_text("utf-8"))
    path = shlex.quote(str(spec))
    typer.echo(f"next:\n  bai diff {path}    # what it would create\n  bai apply {path}   # run it")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    typer.echo(f"wrote {path}")


def _imported(files: list[Path], name: str | None) -> str:
    """Return the spec of Batch AI's files, and print what is wrong with them.

    Raises:
        typer.Exit: they have errors.
    """
    from bai.cli.render.findings import print_findings
    from bai.compiler.importer.names import ImportNames
    from bai.importing import import_
    from bai.specs.findings import errors

    result = import_(*files, names=ImportNames(experiment=name))
    if result.findings:
        print_findings(result.findings, sys.stderr)
    if errors(result.findings):
        raise typer.Exit(Exit.USAGE)
    return result.text


def _experiment_name(folder: Path, name: str | None) -> str:
    """Return the name that was given, or else one made of the folder's.

    Raises:
        typer.BadParameter: the given one is not valid.
    """
    from bai.compiler.importer.names import ImportNames
    from bai.compiler.resources.ids import Kind

    names = ImportNames(experiment=name)
    for wrong in names.findings():
        raise typer.BadParameter(f"{wrong.message} ({wrong.hint})", param_hint="--name")
    return names.of(Kind.EXPERIMENT, str(folder.absolute().resolve() / _SPEC))


def _filled(template: str, name: str, script: str) -> str:
    """Return the spec of a template with the names of the experiment and its script."""
    from bai.compiler.emit.yaml_form import yaml_text

    text = (_TEMPLATES / template / _SPEC).read_text("utf-8").replace(USUAL, script)
    return text.replace(_NAME_LINE, f"  {yaml_text({'name': name})}")


def _template_for(script: Script) -> str:
    """Return the template for a script that is there, and print why it is that one."""
    if script.uses_horovod:
        typer.echo(f"template pytorch: {script.name} imports horovod")
        return "pytorch"  # its spec is that of the template keras
    typer.echo(f"template custom: {script.name} does not import horovod")
    return "custom"


def _fitting_template() -> str:
    """Return the template for what the jobs' interpreter has, and print why it is that one."""
    from bai.runtime.context import select

    python = select(None, Path.cwd()).engine.python or sys.executable
    packages = ["horovod", *(package for package, _ in _FRAMEWORKS.values())]
    try:
        # Not in this folder, where a torch.py is no installed package.
        done = subprocess.run(  # noqa: S603
            [python, "-c", _LOOK, *packages], cwd="/", capture_output=True, text=True, check=False
        )
        found = done.stdout.split()
    except OSError:
        found = []
    for template, (package, label) in _FRAMEWORKS.items():
        if {"horovod", package} <= set(found):
            typer.echo(f"template {template}: Horovod and {label} are installed for {python}")
            return template
    typer.echo(f"template custom: Horovod with PyTorch or TensorFlow is not installed for {python}")
    return "custom"
