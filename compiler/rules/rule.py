"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bai.compiler.places import narrow
from bai.compiler.rules.subject import Subject, Subjects
from bai.specs.findings import Finding, Path, Severity


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a rule found: the rest of the finding is the rule's own."""

    subject: Subject
    path: Path
    message: str
    hint: str | None = None
    part: str | None = None
    """The wrong part of the text at `path`, for a narrower span."""
    at_key: bool = False
    """Whether the key at the end of `path` is wrong, and not the value behind it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that can be wrong. The docstring of its module says why it matters."""

    code: str
    title: str
    """What is wrong, in a few words."""
    check: Callable[[Subjects], Iterator[Complaint]]
    severity: Severity = Severity.ERROR

    def finding(self, complaint: Complaint) -> Finding:
        """Return what the rule says of a subject whose places are known."""
        subject = complaint.subject
        span = None
        if subject.places:
            find = subject.places.key_span if complaint.at_key else subject.places.span
            span = find(complaint.path)
        if span and complaint.part:
            span = narrow(span, subject.source, complaint.part)
        return Finding(self.code, self.severity, complaint.message, span, complaint.hint)
