"""Linting files and printing what is found."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from bai.cli.exits import Exit
from bai.cli.lint_summary import LintSummary
from bai.cli.render.formats import Run, writer

if TYPE_CHECKING:
    from bai.compiler.compilation import Defaults
    from bai.linter.driver.linter import Options
    from bai.linter.pages.catalogue import Entry


def lint_paths(
    paths: Sequence[str], chosen: Options, jobs: int | None = None, output: str = "text"
) -> Exit:
    """Lint files and folders, print what is found, and return the exit code.

    Args:
        paths: the files and folders.
        chosen: the options of the run.
        jobs: how many processes to use at most; None for one for each core.
        output: the name of the format.
    """
    from bai.linter.driver.linter import Linter
    from bai.linter.driver.run import lint_files

    summary = LintSummary(paths, chosen)
    found = summary.findings_of(lint_files(paths, Linter(chosen), jobs))
    writer(output)(found, sys.stdout, report_run(offers_fixes=True))
    return summary.end(output)


def defaults_of(context: str | None) -> Defaults:
    """Return a context's values for names that specs leave out; None for the current context's."""
    from pathlib import Path

    from bai.runtime.context import select

    return select(context, Path.cwd()).defaults


def report_run(texts: Mapping[str, str] | None = None, *, offers_fixes: bool = False) -> Run:
    """Return the context of a report; `texts` are the files that can't be read again."""
    from bai.cli.render.sources import Sources

    return Run(Sources(texts), _rules, offers_fixes=offers_fixes)


def _rules() -> Iterable[Entry]:
    from bai.linter.pages.catalogue import catalogue

    return catalogue().values()
