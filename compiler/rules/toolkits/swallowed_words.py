"""BAI743: `#` begins a comment only where one is meant.

Behind a blank it does so for YAML, in text without quotes, and for the shell: of `--tag #5 --lr 1`
only `--tag` is left. Told is what follows an option and is a number, a color or has more options
behind it.

Wrong (job):

    mounts: {data: "azureFile:data"}
    pyTorch:
      script: ${mounts.data}/train.py
      args: --epochs 3 --tag #5

Right (job):

    mounts: {data: "azureFile:data"}
    pyTorch:
      script: ${mounts.data}/train.py
      args: "--epochs 3 --tag '#5'"
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.command_lines import command_lines, shell_complaints
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subject, Subjects
from bai.compiler.rules.toolkits.arguments import arguments
from bai.specs.findings import Path, Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    yield from shell_complaints(subjects, "swallowed")
    for subject in subjects.items:
        if subject.places is None or " #" not in subject.source:
            continue
        for path, _ in [*command_lines(subject), *arguments(subject)]:
            if comment := _comment_behind(subject, path):
                word = comment.partition(" ")[0]
                message = f"for YAML a comment begins at {word}: the text ends before it"
                yield Complaint(subject, path, message, "put the whole text in quotes")


def _comment_behind(subject: Subject, path: Path) -> str | None:
    """Return the comment behind a plain scalar, if it is surely meant as a part of it."""
    span = subject.places.span(path) if subject.places else None
    if span is None:
        return None
    from bai.compiler.places import line_at

    first = line_at(subject.source, span.line)
    last = line_at(subject.source, span.end_line)
    before = last[: span.end_column - 1]
    behind = last[span.end_column - 1 :].strip()
    if not behind.startswith("#") or first[span.column - 1 : span.column] in tuple("\"'|>&!"):
        return None
    from bai.compiler.analysis.shell.unmeant_comments import is_meant

    return behind if is_meant(before, behind) else None


RULE = Rule("BAI743", "a comment that was meant as text", _check, Severity.WARNING)
