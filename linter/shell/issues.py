"""Find issues in shell command lines.

Only what goes wrong silently counts: installs that wait for an answer, failures that a pipe hides,
arguments that fall into several at a space, deletions in the wrong folder; and syntax errors.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from bai.linter.shell.prefilter import MAX_LENGTH, may_have_issues

if TYPE_CHECKING:
    from bai.linter.shell.shell_issue import ShellIssue


def find_issues(text: str, spaceless: Collection[str] = ()) -> list[ShellIssue]:
    """Return the issues in a command line for bash, in order of place.

    `spaceless` names variables that never hold spaces, beside Batch AI's and the shell's own.
    """
    if not may_have_issues(text) or len(text) > MAX_LENGTH:
        return []
    from bai.linter.shell.checker import Checker

    found = Checker(text, spaceless).run()
    found.sort(key=lambda issue: issue.start)
    return found
