"""BAI750: pip, conda and apt know the subcommand that they are called with.

`pip instal torch` fails on the node, and the job with it. Only what is nearly a subcommand is told,
as programs may have others by plug-ins.

Wrong (job):

    preparation: pip instal torch==2.1.0

Right (job):

    preparation: pip install torch==2.1.0
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.command_lines import shell_complaints
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    yield from shell_complaints(subjects, "misspelt-subcommand")


RULE = Rule("BAI750", "a misspelt subcommand", _check, Severity.WARNING)
