"""What breaks the schema of a Batch AI file, as findings with a way out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bai.compiler.batchai.other_keys import ANSWERED, FORMER, WITHOUT_EFFECT
from bai.compiler.batchai.schema_kinds import SCHEMA_KINDS
from bai.linter.resource_view import ResourceView
from bai.linter.schema.fixes import schema_fix
from bai.linter.schema.forms import form_hint
from bai.linter.schema.homes import holder_of, home_of, homes
from bai.linter.schema.keys import (
    SCRIPT,
    is_command,
    key_elsewhere,
    meant_keys,
    other_file,
    other_name,
)
from bai.linter.schema.recovery import MendedPlaces, mended
from bai.schemas.errors import SchemaError
from bai.schemas.validators import SchemaKind, is_valid, validate
from bai.specs.document import Document
from bai.specs.findings import Finding, Fix, Path, Severity, Span
from bai.specs.names import nearest, suggestion

_SHOWN: Final = 24
"""Most characters of a wrong value in a message."""
_MOST_MEANT: Final = 3
"""Keys that a hint offers in place of one."""
_ROUNDS: Final = 3
"""How often a file is mended and looked at again."""


def schema_findings(
    resource: ResourceView, document: Document
) -> tuple[list[Finding], ResourceView]:
    """Return what breaks the schema, and the file with its keys where they are meant to be.

    Args:
        resource: what one of Batch AI's files says.
        document: where it says it.
    """
    kind = SCHEMA_KINDS[resource.kind]
    if is_valid(kind, resource.wire, "source"):
        return [], resource
    places = MendedPlaces(document)
    found: list[Finding] = []
    told: set[Path] = set()
    corrected: set[Path] = set()
    # What stands behind a misspelt key may have unknown ones as well.
    for _ in range(_ROUNDS):
        errors = validate(kind, resource.wire, "source")
        words = _Words(kind, resource, document, places)
        unknown = [error for error in errors if error.keyword == "additionalProperties"]
        for error in unknown:
            origin = places.origin(error.path)
            if origin not in told:
                told.add(origin)
                corrected |= _meant(words, error)
                found.append(words.finding(error))
        mended_subject, places = mended(resource, places, unknown)
        if mended_subject is resource:
            break
        resource = mended_subject
    else:
        errors = validate(kind, resource.wire, "source")
    words = _Words(kind, resource, document, places)
    # What is there, but misspelt or misplaced, is told at the place where it stands.
    found += [
        words.finding(error)
        for error in errors
        if error.keyword != "additionalProperties" and not _is_told(error, corrected)
    ]
    return found, resource


def _meant(words: _Words, error: SchemaError) -> set[Path]:
    """Return the places, without indexes, at which an unknown key may be meant to stand."""
    name = str(error.path[-1])
    if meant := meant_keys(words.kind, error):
        return {holder_of((*error.path[:-1], key)) for key in meant}
    if is_command(error):
        return {holder_of((*error.path[:-1], SCRIPT))}
    key = key_elsewhere(words.kind, name)
    return {(*holder_of(home), key) for home in homes(words.kind, key)} if key else set()


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
    resource: ResourceView
    document: Document
    places: MendedPlaces

    def finding(self, error: SchemaError) -> Finding:
        """Return the finding for one error."""
        match error.keyword:
            case "additionalProperties":
                return self._unknown_key(error)
            case "required":
                message = f"the key {str(error.path[-1])!r} is missing"
                span = self.places.key_span(error.path[:-1])
                return _error("BAI202", message, span, error.expected)
            case "enum":
                return self._unknown_value(error)
            case "oneOf":
                return self._toolkits(error)
        hint = form_hint(self.kind, error, self.resource.get(*error.path))
        fix = schema_fix(error, self.document, self.places.origin(error.path))
        return _error("BAI203", error.message, self.places.span(error.path), hint, fix)

    def _unknown_key(self, error: SchemaError) -> Finding:
        name, span = str(error.path[-1]), self.places.key_span(error.path)
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
        fix = schema_fix(error, self.document, self.places.origin(error.path))
        return _error("BAI201", f"unknown key {name!r}", span, hint, fix)

    def _unknown_key_hint(self, name: str, error: SchemaError) -> str:
        here = error.path[:-1]
        if meant := meant_keys(self.kind, error):
            if meant[0] in self.resource.mapping(*here) and len(meant) == 1:
                return f"did you mean {meant[0]}? It is there as well: keep one of them"
            if meant == [other_name(error)]:
                return f"its name here is {meant[0]}"
            return f"did you mean {' or '.join(meant[:_MOST_MEANT])}?"
        if is_command(error):
            return (
                f"{here[-1]} takes a {SCRIPT} and commandLineArgs; "
                "a command line belongs in customToolkitSettings or customMpiSettings"
            )
        if key := key_elsewhere(self.kind, name):
            home = home_of(self.kind, key, here, self.resource)
            return f"it belongs in {home}" if key == name else f"did you mean {key}, in {home}?"
        if file := other_file(self.kind, name):
            return f"it belongs in a {file}"
        return suggestion(name, error.valid)

    def _unknown_value(self, error: SchemaError) -> Finding:
        value = str(self.resource.get(*error.path))
        span = self.places.span(error.path)
        hint = f"expected {_listed(error.valid)}"
        if near := nearest(value, error.valid):
            hint = f"did you mean {near}? {hint}"
        # Whatever is as long as a key or a password is not shown.
        shown = repr(value) if len(value) <= _SHOWN else "that"
        fix = schema_fix(error, self.document, self.places.origin(error.path))
        return _error("BAI301", f"{error.path[-1]} can't be {shown}", span, hint, fix)

    def _toolkits(self, error: SchemaError) -> Finding:
        if not _is_among(error):
            span = self.places.key_span(error.path)
            hint = f"write one of {', '.join(error.valid)}"
            return _error("BAI701", "the job has no toolkit", span, hint)
        given = self.resource.mapping(*error.path[:-1])
        found = [name for name in given if name in error.valid]
        message = f"the job has {len(found)} toolkits: {' and '.join(found)}"
        return _error("BAI701", message, self.places.key_span(error.path), "keep one of them")


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
