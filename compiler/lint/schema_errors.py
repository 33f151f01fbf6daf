"""What breaks the schema of a Batch AI file, as findings with a way out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bai.compiler.lint.schema_fixes import schema_fix
from bai.compiler.lint.schema_forms import form_hint
from bai.compiler.lint.schema_homes import holder_of, home_of, homes
from bai.compiler.other_keys import ANSWERED, FORMER, RENAMED, WITHOUT_EFFECT
from bai.compiler.rules.schema.wire_form import SCHEMA_KINDS
from bai.compiler.rules.subject import Subject
from bai.schemas.errors import SchemaError
from bai.schemas.validators import SchemaKind, is_valid, validate
from bai.specs.document import Document
from bai.specs.findings import Finding, Fix, Path, Severity, Span
from bai.specs.names import nearest, suggestion

_SHOWN: Final = 24
"""Most characters of a wrong value in a message."""


def schema_findings(subject: Subject, document: Document) -> Iterator[Finding]:
    """Iterate over what breaks the schema.

    Args:
        subject: what one of Batch AI's files says.
        document: where it says it.
    """
    kind = SCHEMA_KINDS[subject.kind]
    if is_valid(kind, subject.wire, "source"):
        return
    errors = validate(kind, subject.wire, "source")
    words = _Words(kind, subject, document)
    corrected = _corrected(words, errors)
    for error in errors:
        # What is there, but misspelt or misplaced, is told at the place where it stands.
        if not _is_told(error, corrected):
            yield words.finding(error)


def _corrected(words: _Words, errors: Sequence[SchemaError]) -> set[Path]:
    """Return the places, without indexes, at which the unknown keys are meant to stand."""
    found: set[Path] = set()
    for error in errors:
        if error.keyword == "additionalProperties":
            name = str(error.path[-1])
            if meant := words.meant_key(error):
                found.add(holder_of((*error.path[:-1], meant)))
            else:
                found.update((*home, name) for home in homes(words.kind, name))
    return found


def _is_told(error: SchemaError, corrected: set[Path]) -> bool:
    match error.keyword:
        case "required":
            return holder_of(error.path) in corrected
        case "oneOf" if not _is_among(error):
            return any((*holder_of(error.path), name) in corrected for name in error.valid)
    return False


def _is_among(error: SchemaError) -> bool:
    """Return whether the place of a `oneOf` is one of its keys: there are too many of them."""
    return bool(error.path) and error.path[-1] in error.valid


@dataclass(frozen=True, slots=True)
class _Words:
    """Says what is wrong in one file."""

    kind: SchemaKind
    subject: Subject
    document: Document

    def finding(self, error: SchemaError) -> Finding:
        """Return the finding for one error."""
        match error.keyword:
            case "additionalProperties":
                return self._unknown_key(error)
            case "required":
                message = f"the key {str(error.path[-1])!r} is missing"
                span = self.document.key_span(error.path[:-1])
                return _error("BAI202", message, span, error.expected)
            case "enum":
                return self._unknown_value(error)
            case "oneOf":
                return self._toolkits(error)
        hint = form_hint(self.kind, error, self.subject.get(*error.path))
        fix = schema_fix(error, self.document)
        return _error("BAI203", error.message, self.document.span(error.path), hint, fix)

    def meant_key(self, error: SchemaError) -> str | None:
        """Return the valid key beside it that an unknown key stands for, or None."""
        name = str(error.path[-1])
        if (new := RENAMED.get(name)) in error.valid:
            return new
        if near := nearest(name, error.valid, cutoff=0.9):
            return near
        if name in FORMER or name in ANSWERED or homes(self.kind, name):
            return None
        return nearest(name, error.valid)

    def _unknown_key(self, error: SchemaError) -> Finding:
        name, span = str(error.path[-1]), self.document.key_span(error.path)
        former = FORMER.get(name)
        if name == "type" and "outputDirectories" not in error.path:
            former = None
        if former and name in WITHOUT_EFFECT:
            message = f"{name} is no key of api-version 2018-05-01"
            return Finding("BAI207", Severity.WARNING, message, span, former)
        if not former and name in ANSWERED and _is_answer(error.path):
            message = f"{name} is the service's to set"
            return Finding("BAI207", Severity.WARNING, message, span, "leave it out")
        hint = former or self._unknown_key_hint(name, error)
        fix = schema_fix(error, self.document)
        return _error("BAI201", f"unknown key {name!r}", span, hint, fix)

    def _unknown_key_hint(self, name: str, error: SchemaError) -> str:
        if meant := self.meant_key(error):
            if meant in self.subject.mapping(*error.path[:-1]):
                return f"did you mean {meant}? It is there as well: keep one of them"
            return f"did you mean {meant}?"
        if home := home_of(self.kind, name, error.path[:-1], self.subject):
            return f"it belongs in {home}"
        return suggestion(name, error.valid)

    def _unknown_value(self, error: SchemaError) -> Finding:
        value = str(self.subject.get(*error.path))
        span = self.document.span(error.path)
        hint = f"expected {_listed(error.valid)}"
        if near := nearest(value, error.valid):
            hint = f"did you mean {near}? {hint}"
        # Whatever is as long as a key or a password is not shown.
        shown = repr(value) if len(value) <= _SHOWN else "that"
        return _error("BAI301", f"{error.path[-1]} can't be {shown}", span, hint)

    def _toolkits(self, error: SchemaError) -> Finding:
        if not _is_among(error):
            span = self.document.key_span(error.path)
            hint = f"write one of {', '.join(error.valid)}"
            return _error("BAI701", "the job has no toolkit", span, hint)
        given = self.subject.mapping(*error.path[:-1])
        found = [name for name in given if name in error.valid]
        message = f"the job has {len(found)} toolkits: {' and '.join(found)}"
        return _error("BAI701", message, self.document.key_span(error.path), "keep one of them")


def _is_answer(path: Path) -> bool:
    """Return whether the service answers a key at this place."""
    return len(path) <= 2 or path[-1] == "stdOutErrPathSuffix"


def _listed(values: Sequence[str]) -> str:
    *most, last = (json.dumps(value) for value in values)
    return f"{', '.join(most)} or {last}" if most else last


def _error(
    code: str, message: str, span: Span, hint: str | None, fix: Fix | None = None
) -> Finding:
    return Finding(code, Severity.ERROR, message, span, hint, fix)
