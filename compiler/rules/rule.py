"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from bai.compiler.rules.subject import Subject, Subjects
from bai.specs.findings import Finding, Fix, Path, Severity, Span


class Complaint(NamedTuple):
    """What a rule found: the rest of the finding is the rule's own."""

    subject: Subject
    path: Path
    message: str
    hint: str | None = None
    part: str | None = None
    """The wrong part of the text at `path`, for a narrower span."""
    replacement: str | None = None
    """What may be put in place of `part` unasked; None if nothing."""
    at_key: bool = False
    """Whether the key at the end of `path` is wrong, and not the value behind it."""
    inside: tuple[int, int] | None = None
    """The wrong range of the characters of the text at `path`, for the same."""
    edits: Sequence[tuple[int, int, str]] = ()
    """What may be put in place of which ranges of these characters unasked."""


class Stage(StrEnum):
    """Who finds that something is wrong."""

    READING = "reading"
    """The reader of YAML and JSON."""
    COMPILING = "compiling"
    """The models of specs, the passes, or the schema of Batch AI's files."""
    CHECKING = "checking"
    """A rule's own check."""
    LINTING = "linting"
    """The same, by what it asks of the machine that it runs on: `bai lint` alone does."""
    LOOKING = "looking"
    """The same, where a run on this machine must fail: `bai lint`, and a plan."""
    SUPPRESSING = "suppressing"
    """Reading the comments that suppress findings."""
    IMPORTING = "importing"
    """`bai import`."""
    PLANNING = "planning"
    """`bai diff` and `bai apply`, which know the place to run."""
    EXPORTING = "exporting"
    """`bai compile -d`, which writes files for Azure."""

    @property
    def commands(self) -> str:
        """The commands that find it, in words."""
        if alone := _ALONE.get(self):
            return alone
        before = "" if self is Stage.PLANNING else "`bai lint`, `bai compile`, "
        return f"{before}`bai diff` and `bai apply`"


_ALONE = {
    Stage.IMPORTING: "`bai import`",
    Stage.EXPORTING: "`bai compile -d`",
    Stage.LINTING: "`bai lint`",
    Stage.LOOKING: "`bai lint`, `bai diff` and `bai apply`",
    Stage.SUPPRESSING: "`bai lint`",
}


class Rule(NamedTuple):
    """One thing that can be wrong. The docstring of its module is its page, see `pages`."""

    code: str
    title: str
    """What is wrong, in a few words."""
    check: Callable[[Subjects], Iterator[Complaint]] | None = None
    """What finds it; None where another stage does."""
    severity: Severity = Severity.ERROR
    stage: Stage = Stage.CHECKING
    needs_cluster: bool = False
    """Whether it finds nothing, or not all, in a job whose cluster is not known."""
    needs_all: bool = False
    """Whether it tells what is missing: it is not asked about specs that were read in part."""

    def finding(self, complaint: Complaint) -> Finding:
        """Return what the rule says of a subject whose places are known."""
        subject = complaint.subject
        span = None
        if subject.places:
            find = subject.places.key_span if complaint.at_key else subject.places.span
            span = find(complaint.path)
        fix = None
        text = subject.text(*complaint.path) or ""
        if span and complaint.edits:
            from bai.compiler.inner_edits import inner_fix

            fix = inner_fix(span, subject.source, text, complaint.edits)
        if span and complaint.inside:
            from bai.compiler.places import inner_span

            span = inner_span(span, subject.source, text, *complaint.inside)
        elif span and complaint.part:
            from bai.compiler.places import narrow

            span = narrow(span, subject.source, complaint.part)
        fix = fix or _fix(complaint, span)
        return Finding(self.code, self.severity, complaint.message, span, complaint.hint, fix)


def _fix(complaint: Complaint, span: Span | None) -> Fix | None:
    if complaint.replacement is None or complaint.part is None or span is None:
        return None
    # Where the part is not spelled so in the source, the span is that of the whole value.
    is_part = span.end_line == span.line and span.end_column - span.column == len(complaint.part)
    return Fix.replace(span, complaint.replacement) if is_part else None
