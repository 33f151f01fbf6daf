"""The specs that a command is given: files, folders, and `-` for standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from bai.cli.exits import Exit
from bai.cli.terminal import read_standard_input

if TYPE_CHECKING:
    from bai.experiment import Experiment
    from bai.specs.findings import Finding
    from bai.specs.parameters.records import Given
    from bai.specs.parsed_file import ParsedFile

STDIN = "<stdin>"
"""The name that findings about standard input carry."""


def checked_specs(
    files: Sequence[Path],
    context: str | None,
    parameters: Sequence[str] | None = None,
    parameters_file: Path | None = None,
) -> Experiment:
    """Load specs that have no errors; print those that they have, and exit.

    Args:
        files: paths of files and folders; `-` is standard input, its relative paths start from the
            working directory.
        context: name of the context; None for the current one.
        parameters: values of the specs' parameters, each as NAME=VALUE.
        parameters_file: a file with further ones; `-` is standard input.
    """
    from bai.experiment import Experiment
    from bai.loading import read_specs
    from bai.runtime.context import select
    from bai.specs.findings import errors

    paths = dict.fromkeys(map(os.fspath, files))
    parsed = read_specs(path for path in paths if path != "-")
    # Standard input can't be read again for an excerpt.
    texts: dict[str, str] = {}
    if "-" in paths:
        parsed.append(_read(Path("-"), texts))
    given: dict[str, Given] = {}
    if parameters_file is not None:
        from bai.specs.parameters.given import from_file

        values = from_file(_read(parameters_file, texts))
        if values.findings:
            _refuse(values.findings, texts)
        given.update(values.values)
    given.update(_given(parameters or ()))
    experiment = Experiment(parsed, select(context, Path.cwd()), given)
    if found := errors(experiment.findings):
        _refuse(found, texts)
    return experiment


def _read(file: Path, texts: dict[str, str]) -> ParsedFile:
    """Read a file, or standard input, whose text is added to `texts`."""
    from bai.specs.parsed_file import ParsedFile, read_file

    if os.fspath(file) != "-":
        return read_file(file)
    content = read_standard_input()
    texts[STDIN] = content.decode("utf-8", "replace")
    return ParsedFile(content, STDIN, str(Path.cwd()))


def _given(parameters: Sequence[str]) -> dict[str, Given]:
    """Return the values that the option -p gives.

    Raises:
        typer.BadParameter: one has another form than NAME=VALUE.
    """
    from bai.specs.parameters.given import from_option

    try:
        return dict(map(from_option, parameters))
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="-p") from None


def _refuse(findings: Sequence[Finding], texts: Mapping[str, str]) -> NoReturn:
    """Print findings, and exit."""
    from bai.cli.render.findings import print_findings

    print_findings(findings, sys.stderr, texts)
    raise typer.Exit(Exit.USAGE)
