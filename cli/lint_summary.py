"""What `bai lint` prints besides findings."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from bai.cli.exits import Exit
from bai.specs.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bai.linter.driver.linter import Checked, Options
    from bai.specs.findings import Finding

_NO_FILE: Final = "no spec and no file for Batch AI in"


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
