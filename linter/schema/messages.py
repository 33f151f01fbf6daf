"""Findings about the schema errors of a Batch AI file, with hints and fixes."""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Final

from bai.compiler.batchai.other_keys import ANSWERED, FORMER, WITHOUT_EFFECT
from bai.compiler.batchai.recognition import SCHEMA_KINDS
from bai.linter.resource_view import ResourceView
from bai.linter.schema.examples import form_hint
from bai.linter.schema.keys import without_indexes
from bai.linter.schema.recovery import Attempt, attempts
from bai.schemas.errors import SchemaError
from bai.schemas.validators import SchemaKind, is_valid
from bai.specs.codes import make_finding
from bai.specs.document import Document
from bai.specs.findings import Finding, Fix, Path
from bai.specs.names import nearest
from bai.specs.source.edits import quote_scalar, unquote_number, word_fix

_SHOWN: Final = 24
"""Most characters of a wrong value in a message."""


def schema_findings(
    resource: ResourceView, document: Document
) -> tuple[list[Finding], ResourceView]:
    """Return the findings about the schema, and the file with its keys where they are meant to be.

    Args:
        resource: the content of one of Batch AI's files.
        document: its places.
    """
    kind = SCHEMA_KINDS[resource.kind]
    if is_valid(kind, resource.wire, "source"):
        return [], resource
    found: list[Finding] = []
    reported: set[Path] = set()
    corrected: set[Path] = set()
    for attempt in attempts(kind, resource, document):
        messages = _Messages(kind, document, attempt)
        for error in attempt.unknown:
            origin = attempt.places.origin(error.path)
            if origin not in reported:
                reported.add(origin)
                corrected |= attempt.keys.places(error)
                found.append(messages.finding(error))
    # A misspelt or misplaced key is reported where it is, not as missing elsewhere.
    found += [
        messages.finding(error)
        for error in attempt.errors
        if error.keyword != "additionalProperties" and not _is_explained(error, corrected)
    ]
    return found, attempt.resource


def _is_explained(error: SchemaError, corrected: Set[Path]) -> bool:
    """Return whether an error is gone once the unknown keys are where they belong."""
    match error.keyword:
        case "required":
            return without_indexes(error.path) in corrected
        case "oneOf" if not _is_among(error):
            return any((*without_indexes(error.path), name) in corrected for name in error.valid)
    return False


def _is_among(error: SchemaError) -> bool:
    """Return whether the place of a `oneOf` is one of its keys: there are too many of them."""
    return bool(error.path) and error.path[-1] in error.valid


@dataclass(frozen=True, slots=True)
class _Messages:
    """The findings about the errors of one file."""

    kind: SchemaKind
    document: Document
    attempt: Attempt

    def finding(self, error: SchemaError) -> Finding:
        """Return the finding for one error."""
        match error.keyword:
            case "additionalProperties":
                return self._unknown_key(error)
            case "required":
                message = f"the key {str(error.path[-1])!r} is missing"
                span = self.attempt.places.key_span(error.path[:-1])
                return make_finding("BAI202", message, span, error.expected)
            case "enum":
                return self._unknown_value(error)
            case "oneOf":
                return self._toolkits(error)
        hint = form_hint(self.kind, error, self.attempt.resource.get(*error.path))
        span, fix = self.attempt.places.span(error.path), self._value_fix(error)
        return make_finding("BAI203", error.message, span, hint, fix)

    def _unknown_key(self, error: SchemaError) -> Finding:
        name, span = str(error.path[-1]), self.attempt.places.key_span(error.path)
        former = FORMER.get(name)
        if name == "type" and "outputDirectories" not in error.path:
            former = None
        if former and name in WITHOUT_EFFECT:
            message = f"{name} is no key of api-version 2018-05-01"
            return make_finding("BAI207", message, span, former)
        is_answer = len(error.path) <= 2 or name == "stdOutErrPathSuffix"
        if not former and name in ANSWERED and is_answer:
            message = f"{name} is the service's to set"
            return make_finding("BAI207", message, span, "leave it out")
        hint = former or self.attempt.keys.hint(error)
        fix = self.attempt.keys.fix(error, self.document, self.attempt.places.origin(error.path))
        return make_finding("BAI201", f"unknown key {name!r}", span, hint, fix)

    def _unknown_value(self, error: SchemaError) -> Finding:
        value = str(self.attempt.resource.get(*error.path))
        span = self.attempt.places.span(error.path)
        hint = f"expected {_listed(error.valid)}"
        if near := nearest(value, error.valid):
            hint = f"did you mean {near}? {hint}"
        # Values as long as a key or a password are not shown.
        shown = repr(value) if len(value) <= _SHOWN else "that"
        message = f"{error.path[-1]} can't be {shown}"
        return make_finding("BAI301", message, span, hint, self._value_fix(error))

    def _toolkits(self, error: SchemaError) -> Finding:
        span = self.attempt.places.key_span(error.path)
        if not _is_among(error):
            example = '"customToolkitSettings": {"commandLine": "python train.py"}'
            hint = f"write {example}, for example; there are {', '.join(error.valid)}"
            message = "the job has no toolkit: nothing says what it runs"
            return make_finding("BAI701", message, span, hint)
        given = self.attempt.resource.mapping(*error.path[:-1])
        found = [name for name in given if name in error.valid]
        message = f"the job has {len(found)} toolkits: {' and '.join(found)}"
        return make_finding("BAI701", message, span, "keep one of them")

    def _value_fix(self, error: SchemaError) -> Fix | None:
        """Return the fix of a wrong value; None if its meaning is not clear.

        Misspelt words, superfluous quotes and missing quotes can be fixed.
        """
        path = self.attempt.places.origin(error.path)
        match error.keyword, error.expected:
            case "enum", _:
                return word_fix(self.document, path, error.valid)
            case "type", "a whole number":
                return unquote_number(self.document, path)
            case "type", "a string":
                # One of just some words is not made from a number by quotes.
                return None if error.valid else quote_scalar(self.document, path)
        return None


def _listed(values: Sequence[str]) -> str:
    *most, last = (json.dumps(value) for value in values)
    return f"{', '.join(most)} or {last}" if most else last
