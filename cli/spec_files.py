"""The specs that a command is given: files, folders, and `-` for standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bai.cli.exits import Exit
from bai.cli.terminal import read_standard_input

if TYPE_CHECKING:
    from bai.experiment import Experiment

STDIN = "<stdin>"
"""The name that findings about standard input carry."""


def checked_specs(files: Sequence[Path], context: str | None) -> Experiment:
    """Load specs that have no errors; print those that they have, and exit.

    Args:
        files: paths of files and folders; `-` is standard input, its relative paths start from the
            working directory.
        context: name of the context; None for the current one.
    """
    from bai.experiment import Experiment
    from bai.loading import read_specs
    from bai.runtime.context import select
    from bai.specs.findings import errors
    from bai.specs.parsed_file import ParsedFile

    paths = dict.fromkeys(map(os.fspath, files))
    parsed = read_specs(path for path in paths if path != "-")
    # Standard input can't be read again for an excerpt.
    texts = {}
    if "-" in paths:
        content = read_standard_input()
        texts[STDIN] = content.decode("utf-8", "replace")
        parsed.append(ParsedFile(content, STDIN, str(Path.cwd())))
    experiment = Experiment(parsed, select(context, Path.cwd()))
    if found := errors(experiment.findings):
        from bai.cli.render.findings import print_findings

        print_findings(found, sys.stderr, texts)
        raise typer.Exit(Exit.USAGE)
    return experiment
