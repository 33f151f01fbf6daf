"""The texts of a wire form that a shell runs, and the mistakes in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from bai.compiler.analysis.shell.mistakes import Mistake, may_err, mistakes
from bai.compiler.expressions import is_expression
from bai.compiler.resources.ids import Kind
from bai.compiler.rules.per_subject import per_subject
from bai.compiler.rules.rule import Complaint
from bai.compiler.rules.subject import Subject, Subjects
from bai.compiler.rules.variables import environments
from bai.specs.findings import Path

if TYPE_CHECKING:
    from bai.compiler.analysis.shell.grammar import Refusal

_PLACES: Final[dict[Kind, tuple[Path, ...]]] = {
    Kind.JOB: (
        ("properties", "jobPreparation", "commandLine"),
        ("properties", "customToolkitSettings", "commandLine"),
        ("properties", "customMpiSettings", "commandLine"),
    ),
    Kind.CLUSTER: (("properties", "nodeSetup", "setupTask", "commandLine"),),
}


_RESERVED: Final = frozenset(
    "if then elif else fi for while until do done case esac select function { } [[".split()  # noqa: SIM905
)
_SEPARATORS: Final = str.maketrans(";&|()", "     ")
"""Words that bash reads in a way of its own, and what stands around them beside blanks."""


@per_subject
def command_lines(subject: Subject) -> Sequence[tuple[Path, str]]:
    """Return (path, text) of the command lines of a job or a cluster."""
    places = _PLACES.get(subject.kind, ())
    return [
        (path, text)
        for path in places
        if (text := subject.text(*path)) and (subject.is_compiled or not is_expression(text))
    ]


def commands(subject: Subject) -> Sequence[str]:
    """Return the command lines that rules will ask `Shell` about."""
    return [text for _, text in command_lines(subject)]


def shell_complaints(subjects: Subjects, kind: str) -> Iterator[Complaint]:
    """Iterate over the mistakes of one kind (see `Mistake`) in all command lines."""
    for subject in subjects.items:
        for path, mistake in _all_mistakes(subject):
            if mistake.kind == kind:
                yield Complaint(
                    subject,
                    path,
                    mistake.message,
                    mistake.hint,
                    inside=(mistake.start, mistake.end),
                    edits=mistake.edits,
                )


@per_subject
def _all_mistakes(subject: Subject) -> Sequence[tuple[Path, Mistake]]:
    return [
        (path, mistake)
        for path, text in command_lines(subject)
        for mistake in shell_mistakes(subject, text)
    ]


def _may_need_bash(text: str) -> bool:
    """Return whether `needs_bash`, which most command lines need not import, may say yes."""
    if "(" in text or (";" in text and (";;" in text or "&" in text)):
        return True
    return not _RESERVED.isdisjoint(text.translate(_SEPARATORS).split())


def bash_refusal(subjects: Subjects, subject: Subject, text: str) -> Refusal | None:
    """Return why bash refuses a command line in which `shell_mistakes` finds it readable."""
    if subjects.shell is None or not _may_need_bash(text):
        return None
    from bai.compiler.analysis.shell.bash_syntax import needs_bash

    if not needs_bash(text):
        return None
    if any(mistake.kind == "unreadable" for mistake in shell_mistakes(subject, text)):
        return None
    return subjects.shell.refusal(text)


def shell_mistakes(subject: Subject, text: str) -> Sequence[Mistake]:
    """Return all mistakes in a command line of a job or a cluster."""
    if not may_err(text):
        return ()
    variables = _spaceless(subject) if "$" in text else frozenset()
    return _mistakes(text, variables)


@lru_cache(maxsize=64)
def _mistakes(text: str, spaceless: frozenset[str]) -> Sequence[Mistake]:
    # Several rules ask, and many jobs have the same preparation.
    return mistakes(text, spaceless)


@per_subject
def _spaceless(subject: Subject) -> frozenset[str]:
    """Return the variables that are set to values which a shell takes for one word."""
    return frozenset(
        name
        for holder in environments(subject)
        for _, entry in subject.entries(*holder, "environmentVariables")
        if isinstance(name := entry.get("name"), str)
        and isinstance(value := entry.get("value"), str)
        and value
        and "$" not in value
        and not any(mark.isspace() or mark in "*?[" for mark in value)
    )
