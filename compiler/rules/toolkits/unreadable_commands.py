"""BAI708: the shell can read a command line to its end.

A quote or a parenthesis that is not closed, `&&` without a command behind it, `if` without `fi`:
on the node the shell says so, and the job fails. `bai lint` also asks bash, where Linux has it, to
read command lines with blocks or parentheses; nothing is run.

Wrong (job):

    custom: {command: echo 'starting && hostname}

Right (job):

    custom: {command: echo 'starting' && hostname}
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from bai.compiler.rules.command_lines import bash_refusal, command_lines, shell_complaints
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects

_MOST: Final = 200
"""Command lines of one file that bash is asked about: each takes some milliseconds."""


def _check(subjects: Subjects) -> Iterator[Complaint]:
    yield from shell_complaints(subjects, "unreadable")
    if subjects.shell is None:
        return
    questions = (
        (subject, path, text) for subject in subjects.items for path, text in command_lines(subject)
    )
    for subject, path, text in islice(questions, _MOST):
        if found := bash_refusal(subjects, subject, text):
            place = (found.start, found.end)
            yield Complaint(subject, path, found.message, found.hint, inside=place)


RULE = Rule("BAI708", "a command line that the shell can't read", _check)
