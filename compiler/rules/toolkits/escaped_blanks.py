r"""BAI742: a backslash at the end of a line joins it to the next one.

It does in a block below `|`, where it must be the last character of its line. Below `>`, and in
plain text of several lines, YAML has joined the lines already: the shell finds `\` before a blank,
which makes the blank a part of the next argument.

Wrong (job):

    custom:
      command: >
        python train.py \
        --epochs 3

Right (job):

    custom:
      command: >
        python train.py
        --epochs 3
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.analysis.shell.mistakes import Mistake
from bai.compiler.rules.command_lines import command_lines, shell_mistakes
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subject, Subjects
from bai.compiler.rules.toolkits.arguments import arguments
from bai.specs.findings import Path, Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        for path, one in _blanks(subject):
            place = (one.start, one.end)
            if one.kind == "escaped-blank" or _is_folded(subject, path, one):
                yield Complaint(subject, path, one.message, one.hint, inside=place, edits=one.edits)


def _blanks(subject: Subject) -> Iterator[tuple[Path, Mistake]]:
    for path, text in command_lines(subject):
        if "\\ " in text or "\\\t" in text:
            for one in shell_mistakes(subject, text):
                if one.kind in ("escaped-blank", "folded-blank"):
                    yield path, one
    for path, text in arguments(subject):
        if "\\ " in text:
            from bai.compiler.analysis.shell.escaped_blanks import escaped_blanks
            from bai.compiler.analysis.shell.lexer import sequences

            for command in sequences(text)[-1].commands:
                for one in escaped_blanks(text, command.words):
                    yield path, one


def _is_folded(subject: Subject, path: Path, one: Mistake) -> bool:
    """Return whether a line of the source ends behind the backslash."""
    span = subject.places.span(path) if subject.places else None
    if span is None or span.line == span.end_line:
        return False
    from bai.compiler.places import origins

    known = origins(subject.source, span, subject.text(*path) or "")
    if not known:
        return False
    start, end = known[one.start][0], known[one.start + 1][1]
    return "\n" in subject.source[start:end]


RULE = Rule("BAI742", "a backslash that joins no lines", _check, Severity.WARNING)
