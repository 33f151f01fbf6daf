"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from bai.linter.resource_view import ResourceView, RuleContext
from bai.specs.findings import Finding, Fix, Path, Severity, Span


class Violation(NamedTuple):
    """What a rule found: the rest of the finding is the rule's own."""

    resource: ResourceView
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
    fix: Fix | None = None
    """A fix of another place than `path`."""


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
    PREFLIGHT = "preflight"
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
    Stage.PREFLIGHT: "`bai lint`, `bai diff` and `bai apply`",
    Stage.SUPPRESSING: "`bai lint`",
}


class Rule(NamedTuple):
    """One thing that can be wrong. The docstring of its module is its page, see `pages`."""

    code: str
    title: str
    """What is wrong, in a few words."""
    check: Callable[[RuleContext], Iterator[Violation]] | None = None
    """What finds it; None where another stage does."""
    severity: Severity = Severity.ERROR
    stage: Stage = Stage.CHECKING
    needs_cluster: bool = False
    """Whether it finds nothing, or not all, in a job whose cluster is not known."""
    needs_all: bool = False
    """Whether it tells what is missing: it is not asked about specs that were read in part."""

    def finding(self, violation: Violation) -> Finding:
        """Return what the rule says of a resource whose places are known."""
        resource = violation.resource
        span = None
        if resource.places:
            find = resource.places.key_span if violation.at_key else resource.places.span
            span = find(violation.path)
        fix = violation.fix
        text = resource.text(*violation.path) or ""
        if span and violation.edits:
            from bai.specs.source.inner_edits import inner_fix

            fix = inner_fix(span, resource.source, text, violation.edits)
        if span and violation.inside:
            from bai.specs.source.places import inner_span

            span = inner_span(span, resource.source, text, *violation.inside)
        elif span and violation.part:
            from bai.specs.source.places import narrow

            span = narrow(span, resource.source, violation.part)
        fix = fix or _fix(violation, span)
        return Finding(self.code, self.severity, violation.message, span, violation.hint, fix)


def _fix(violation: Violation, span: Span | None) -> Fix | None:
    if violation.replacement is None or violation.part is None or span is None:
        return None
    # Where the part is not spelled so in the source, the span is that of the whole value.
    is_part = span.end_line == span.line and span.end_column - span.column == len(violation.part)
    return Fix.replace(span, violation.replacement) if is_part else None
