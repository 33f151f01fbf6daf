"""BAI310: an environment variable is plain or secret, not both.

The job would get only one of the two values, and the file does not say which.

Wrong (job):

    environment: {TOKEN: none}
    secrets: {TOKEN: "env:TOKEN"}

Right (job):

    secrets: {TOKEN: "env:TOKEN"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.compiler.rules.variables import environments


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        for holder in environments(subject):
            variables = subject.entries(*holder, "environmentVariables")
            plain = {entry.get("name") for _, entry in variables}
            for path, entry in subject.entries(*holder, "secrets"):
                if (name := entry.get("name")) in plain and name is not None:
                    message = f"{name} is both a secret and a plain variable"
                    yield Complaint(subject, (*path, "name"), message, "keep one of them")


RULE = Rule("BAI310", "an environment variable is set twice", _check)
