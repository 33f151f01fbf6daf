"""Linting files and printing what is found."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bai.cli.exits import Exit
from bai.cli.lint_summary import LintSummary
from bai.cli.render.formats import RuleText, Run, writer

if TYPE_CHECKING:
    from bai.cli.render.sources import Sources
    from bai.compiler.compilation import Defaults
    from bai.linter.driver.linter import Options


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


def report_run(sources: Sources | None = None, *, offers_fixes: bool = False) -> Run:
    """Return the context of a report."""
    return Run(sources, _rules, offers_fixes=offers_fixes)


def _rules() -> Iterator[RuleText]:
    from bai.linter.pages.catalogue import catalogue

    for code, page, _ in catalogue().values():
        yield RuleText(code.code, code.title, "\n\n".join(page.paragraphs), code.severity)
