"""BAI741: a requirement for pip or conda is one word, in quotes where it has `>` or `<`.

The shell takes `>` for a redirection: `pip install torch>=1.0` installs any version, and writes
what pip says to a file `=1.0`. Without quotes a blank before `==` makes two requirements of one.
A file with requirements stands behind `-r` (for conda `--file`).

Wrong (job):

    preparation: pip install torch>=1.0

Right (job):

    preparation: pip install "torch>=1.0"
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.command_lines import shell_complaints
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    yield from shell_complaints(subjects, "misread-requirement")


RULE = Rule("BAI741", "a requirement that pip gets otherwise", _check, Severity.WARNING)
