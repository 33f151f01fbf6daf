"""BAI708: the shell can read a command line to its end.

A quote or a parenthesis that is not closed, `&&` without a command behind it, `if` without `fi`:
on the node the shell says so, and the job fails.

Wrong (job):

    custom: {command: echo 'starting && hostname}

Right (job):

    custom: {command: echo 'starting' && hostname}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.command_lines import shell_complaints
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects


def _check(subjects: Subjects) -> Iterator[Complaint]:
    yield from shell_complaints(subjects, "unreadable")


RULE = Rule("BAI708", "a command line that the shell can't read", _check)
