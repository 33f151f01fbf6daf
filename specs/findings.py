"""Findings: what the compiler has to say, and where in the user's file it says it.

Named tuples, as they are part of every run: dataclasses take longer to import than a file to check.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self

Path = tuple[str | int, ...]
"""The place of a value in a document: mapping keys and sequence indexes from the root."""

MOST_SAID: Final = 500
"""Characters of a message, and of a hint: longer ones are cut."""
_KEPT: Final = (160, 100)
"""Characters of a cut text: at the start, and at the end."""


class Severity(StrEnum):
    """How much a finding weighs. Only errors stop a compilation."""

    ERROR = "error"
    WARNING = "warning"


class Span(NamedTuple):
    """A half-open range of text. Lines and columns count from 1, columns in characters."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def covers(self, other: Span) -> bool:
        """Return whether another range lies within this one."""
        begins = (self.line, self.column) <= (other.line, other.column)
        ends = (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        return self.file == other.file and begins and ends


class Edit(NamedTuple):
    """A replacement: `text` in place of what `span` covers."""

    span: Span
    text: str


class Fix(NamedTuple):
    """A change that is safe to make unasked: all of its edits, or none."""

    edits: tuple[Edit, ...]

    @classmethod
    def replace(cls, span: Span, text: str) -> Self:
        """Return the fix that puts `text` in place of what `span` covers."""
        return cls((Edit(span, text),))


class Finding(NamedTuple):
    """One thing that is wrong in a file.

    `code` is `BAI` and three digits, the first of them the group: 1 syntax, 2 schema,
    3 values, 4 references, 5 mounts, 6 secrets, 7 toolkits, 8 scale, 9 style.
    `span` is None only where no file is involved (a spec built in Python).
    `hint` says what to do, in one sentence; `fix` is set where a tool may do it unasked.
    Both texts may show a value of the user's, of any length; `bai.specs.codes.make_finding` takes
    the middle from those that are longer than MOST_SAID.
    """

    code: str
    severity: Severity
    message: str
    span: Span | None
    hint: str | None = None
    fix: Fix | None = None

    def replaced(self, **changes: Any) -> Finding:
        """Return the finding with other values of some fields."""
        found = self._replace(**changes)
        hint = found.hint and shortened(found.hint)
        return found._replace(message=shortened(found.message), hint=hint)

    def __str__(self) -> str:
        place = f"{self.span}: " if self.span else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.code} {self.message}{hint}"


def shortened(text: str) -> str:
    """Return the start and the end of a long text: in the middle there is only more of a value."""
    if len(text) <= MOST_SAID:
        return text
    start, end = _KEPT
    return f"{text[:start]}…{text[-end:]}"


class FindingsError(Exception):
    """Raised where findings of severity error make it impossible to go on."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(map(str, self.findings)))


def by_place(finding: Finding) -> tuple[int, int, str]:
    """Return the key that sorts the findings of a file in the order of its text."""
    span = finding.span
    return (span.line, span.column, finding.code) if span else (0, 0, finding.code)


def in_order(findings: Iterable[Finding], files: Iterable[str] = ()) -> tuple[Finding, ...]:
    """Return findings once each, file by file and in the order of the text."""
    ranks = {file: rank for rank, file in enumerate(dict.fromkeys(files))}

    def place(finding: Finding) -> tuple[int, tuple[int, int, str]]:
        rank = ranks.get(finding.span.file, len(ranks)) if finding.span else -1
        return rank, by_place(finding)

    return tuple(sorted(dict.fromkeys(findings), key=place))


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings that stop a compilation, in their given order."""
    return tuple(finding for finding in findings if finding.severity is Severity.ERROR)
