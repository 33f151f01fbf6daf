"""The specs that a command is given: files, and `-` for standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bai.cli.exits import Exit

if TYPE_CHECKING:
    from bai.experiment import Experiment

STDIN = "<stdin>"
"""The name that findings about standard input carry."""


def open_specs(files: Sequence[Path], context: str | None) -> tuple[Experiment, str | None]:
    """Load specs, right or wrong.

    Args:
        files: paths; `-` is standard input, its relative paths start from the working directory.
        context: name of the context; None for the current one.

    Returns:
        The specs, and the text of standard input if it was read: it can't be read again.
    """
    from bai.experiment import Experiment
    from bai.runtime.context import select
    from bai.specs.load import LoadResult, load_file, load_text

    text = None
    loaded = []
    for file in dict.fromkeys(files):
        if os.fspath(file) == "-":
            content = sys.stdin.buffer.read()
            text = content.decode("utf-8", "replace")
            loaded.append(load_text(content, STDIN, str(Path.cwd())))
        else:
            loaded.append(load_file(file))
    return Experiment(LoadResult.joined(loaded), select(context, Path.cwd())), text


def checked_specs(files: Sequence[Path], context: str | None) -> Experiment:
    """Load specs that have no errors; print those that they have, and exit."""
    from bai.specs.findings import errors

    experiment, text = open_specs(files, context)
    if found := errors(experiment.lint()):
        from bai.cli.render.findings import print_findings

        print_findings(found, sys.stderr, text)
        raise typer.Exit(Exit.USAGE)
    return experiment
