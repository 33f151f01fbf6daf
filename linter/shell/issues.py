"""Mistakes in shell command lines that a person regrets.

Only what goes wrong without a word is told: installs that wait for an answer nobody gives, failures
that a pipe hides, arguments that fall apart at a space, deletions in the wrong folder; and what the
shell refuses to read.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from bai.linter.shell.prefilter import MAX_LENGTH, may_have_issues

if TYPE_CHECKING:
    from bai.linter.shell.shell_issue import ShellIssue


def mistakes(text: str, spaceless: Collection[str] = ()) -> list[ShellIssue]:
    """Return the mistakes in a command line for bash, in order of place.

    `spaceless` names variables that never hold spaces, beside Batch AI's and the shell's own.
    """
    if not may_have_issues(text) or len(text) > MAX_LENGTH:
        return []
    from bai.linter.shell.checks import Checker

    found = Checker(text, spaceless).run()
    found.sort(key=lambda mistake: mistake.start)
    return found
