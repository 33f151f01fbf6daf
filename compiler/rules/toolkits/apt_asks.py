"""BAI715: apt, yum, dnf and pip are told to ask nothing.

Nobody answers on a node, so that an `apt install` or a `pip uninstall` which asks whether to go on
ends there, and what comes after it runs without the change. `read -p` gets nothing. `conda` goes on
without an answer.

Wrong (job):

    preparation: apt-get install libopenmpi-dev

Right (job):

    preparation: apt-get install -y libopenmpi-dev
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.command_lines import shell_complaints
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    yield from shell_complaints(subjects, "install-asks")


RULE = Rule("BAI715", "a question that nobody answers", _check, Severity.WARNING)
