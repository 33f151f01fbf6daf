"""Linting files, and printing what is found and what else there is to say."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from bai.cli.exits import Exit
from bai.cli.render.formats import Run, writer
from bai.specs.words import counted

if TYPE_CHECKING:
    from bai.compiler.compilation import Defaults
    from bai.linter.driver.linter import Checked, Options
    from bai.specs.findings import Finding

_NO_FILE: Final = "no spec and no file for Batch AI in"


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
    from bai.cli.render.sources import Sources
    from bai.linter.driver.linter import Linter
    from bai.linter.driver.run import lint_files

    summary = LintSummary(paths, chosen)
    found = summary.findings_of(lint_files(paths, Linter(chosen), jobs))
    writer(output)(found, sys.stdout, Run(Sources(), offers_fixes=True))
    return summary.end(output)


def defaults_of(context: str | None) -> Defaults:
    """Return a context's values for names that specs leave out; None for the current context's."""
    from pathlib import Path

    from bai.runtime.context import select

    return select(context, Path.cwd()).defaults


class LintSummary:
    """Counts what a run of `bai lint` checks and finds."""

    def __init__(self, paths: Sequence[str], options: Options) -> None:
        """Begin, given what the command line names."""
        self.paths = paths
        self.cluster = options.cluster
        self.known_only = options.known_only
        self.files = 0
        self.excluded = 0
        self.findings = 0
        self.jobs = 0
        self.has_syntax_errors = False

    def findings_of(self, checked: Iterable[Checked]) -> Iterator[Finding]:
        """Iterate over the findings of files, and count."""
        for each in checked:
            self.files += not each.passed_over
            self.excluded += each.is_excluded
            self.findings += len(each.findings)
            self.jobs += each.has_job_file
            for finding in each.findings:
                self.has_syntax_errors |= finding.code.startswith("BAI1")
                yield finding

    def end(self, output: str) -> Exit:
        """Print that nothing was found, or nothing checked, and return the exit code."""
        if not self.files and not self.known_only:
            what = "the settings exclude all of" if self.excluded else _NO_FILE
            say(f"warning: {what} {', '.join(self.paths)}")
        elif self.files and not self.findings and output == "text":
            sys.stdout.write(f"{counted(self.files, 'file')} checked, no findings\n")
        self.warn_of_cluster()
        return Exit.FAILED if self.findings else Exit.OK

    def warn_of_cluster(self) -> None:
        """Print a warning if no job was checked with the cluster of the command line."""
        # A file that can't be read may be meant to be one.
        if self.cluster and not self.jobs and not self.has_syntax_errors:
            say(
                f"warning: no job was checked with {self.cluster}: --cluster is for job files of "
                "Batch AI's, and a spec's jobs are checked with the clusters of the spec"
            )


def say(text: str) -> None:
    """Print a line on standard error."""
    sys.stderr.write(f"{text}\n")
