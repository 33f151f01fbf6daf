"""BAI716: nothing hides that a command failed.

The shell takes the end of the last command of a pipe for the end of all. A training whose output
goes through `tee` or `tail` succeeds whatever happens, and `curl | tar` goes on with half an
archive. In the same way `python train.py; echo ended` always succeeds, and so does the job.

Wrong (job):

    custom: {command: "python train.py | tee log.txt"}

Right (job):

    custom: {command: "set -o pipefail; python train.py | tee log.txt"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.command_lines import shell_violations
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    yield from shell_violations(context, "pipe-hides-failure")
    for violation in shell_violations(context, "end-hides-failure"):
        # What a preparation ends with hides less: the job itself comes after it.
        if violation.path[1] in ("customToolkitSettings", "customMpiSettings"):
            yield violation


RULE = Rule("BAI716", "a failure that the shell hides", _check, Severity.WARNING)
