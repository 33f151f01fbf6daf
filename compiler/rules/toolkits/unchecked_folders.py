"""BAI718: nothing is deleted after a `cd` that may have failed.

Where the folder is not there, the shell stays where it is, and `rm` deletes what is there instead.

Wrong (job):

    custom: {command: cd build; rm -rf *}

Right (job):

    custom: {command: cd build && rm -rf *}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.command_lines import shell_complaints
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    yield from shell_complaints(subjects, "cd-unchecked")


RULE = Rule("BAI718", "a deletion after an unchecked cd", _check, Severity.WARNING)
