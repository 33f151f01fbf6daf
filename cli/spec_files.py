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


def checked_specs(files: Sequence[Path], context: str | None) -> Experiment:
    """Load specs that have no errors; print those that they have, and exit.

    Args:
        files: paths; `-` is standard input, its relative paths start from the working directory.
        context: name of the context; None for the current one.
    """
    from bai.experiment import Experiment
    from bai.runtime.context import select
    from bai.specs.findings import errors
    from bai.specs.load import LoadResult, load_file, load_text

    # Standard input can't be read again for an excerpt.
    texts = {}
    loaded = []
    for file in dict.fromkeys(files):
        if os.fspath(file) == "-":
            content = sys.stdin.buffer.read()
            texts[STDIN] = content.decode("utf-8", "replace")
            loaded.append(load_text(content, STDIN, str(Path.cwd())))
        else:
            loaded.append(load_file(file))
    experiment = Experiment(LoadResult.joined(loaded), select(context, Path.cwd()))
    if found := errors(experiment.lint()):
        from bai.cli.render.findings import print_findings

        print_findings(found, sys.stderr, texts)
        raise typer.Exit(Exit.USAGE)
    return experiment
