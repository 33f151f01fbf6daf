"""BAI740: a here-document ends in a line of its own.

What follows `<<EOF` is text up to a line that is `EOF` and nothing else. Without one all commands
below are a part of the text, and none of them is run. In a scalar of one line, and below `>`, there
are no lines that could end it.

Wrong (job):

    custom:
      command: |
        cat > hosts <<EOF
        localhost
        python train.py

Right (job):

    custom:
      command: |
        cat > hosts <<EOF
        localhost
        EOF
        python train.py
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.command_lines import shell_complaints
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    yield from shell_complaints(subjects, "open-heredoc")


RULE = Rule("BAI740", "a here-document without an end", _check, Severity.WARNING)
