"""What breaks the schema of a Batch AI file, as findings with a way out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from bai.compiler.rules.schema.wire_form import SCHEMA_KINDS
from bai.compiler.rules.subject import Subject
from bai.schemas.errors import SchemaError
from bai.schemas.validators import SchemaKind, is_valid, schema, validate
from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Severity
from bai.specs.names import nearest, suggestion

_CODES: Final = {
    "additionalProperties": "BAI201",
    "required": "BAI202",
    "type": "BAI203",
    "enum": "BAI301",
    "oneOf": "BAI701",
}
"""Keyword of the schema -> code."""

ANSWERED: Final = frozenset(
    (
        "allocationState",
        "allocationStateTransitionTime",
        "creationTime",
        "currentNodeCount",
        "errors",
        "executionInfo",
        "executionState",
        "executionStateTransitionTime",
        "experimentName",
        "id",
        "jobOutputDirectoryPathSegment",
        "location",
        "mountSettings",
        "name",
        "nodeStateCounts",
        "provisioningState",
        "provisioningStateTransitionTime",
        "stdOutErrPathSuffix",
        "toolType",
        "type",
    )
)
"""Keys of the service's answers that no request has."""


def schema_findings(subject: Subject, document: Document) -> Iterator[Finding]:
    """Iterate over what breaks the schema.

    Args:
        subject: what one of Batch AI's files says.
        document: where it says it.
    """
    kind = SCHEMA_KINDS[subject.kind]
    if is_valid(kind, subject.wire, "source"):
        return
    for error in validate(kind, subject.wire, "source"):
        yield _finding(error, kind, subject, document)


def _finding(error: SchemaError, kind: SchemaKind, subject: Subject, document: Document) -> Finding:
    code, severity, hint = _CODES[error.keyword], Severity.ERROR, None
    span = document.span(error.path)
    match error.keyword:
        case "additionalProperties":
            span = document.key_span(error.path)
            name = str(error.path[-1])
            if name in ANSWERED:
                message = f"{name} is the service's to set"
                return Finding("BAI207", Severity.WARNING, message, span, "leave it out")
            hint = _unknown_key_hint(name, error, kind)
        case "required":
            span = document.key_span(error.path[:-1])
            hint = error.expected
        case "enum":
            value = str(subject.get(*error.path))
            near = nearest(value, error.valid)
            hint = f"did you mean {near}?" if near else None
        case "type":
            hint = _type_hint(subject.get(*error.path), error)
    return Finding(code, severity, error.message, span, hint)


def _unknown_key_hint(name: str, error: SchemaError, kind: SchemaKind) -> str:
    near = nearest(name, error.valid)
    if not near and (found := homes(kind, name)):
        return f"it belongs in {' or '.join('.'.join(map(str, path)) for path in found)}"
    return suggestion(name, error.valid)


def _type_hint(value: Any, error: SchemaError) -> str | None:
    if isinstance(value, str) and "number" in error.expected and re.fullmatch(r"-?\d+", value):
        return "write it without quotes"
    if error.expected == "a string" and isinstance(value, (bool, int, float)):
        return "write it in quotes"
    return None


def homes(kind: SchemaKind, key: str) -> list[Path]:
    """Return the paths at which a schema knows a key, without indexes of lists."""
    data = schema(kind, "source")
    found: list[Path] = []

    def walk(part: Any, path: Path, above: tuple[str, ...]) -> None:
        if reference := part.get("$ref"):
            name = reference.rsplit("/", 1)[-1]
            if name not in above:
                walk(data["definitions"][name], path, (*above, name))
            return
        for branch in part.get("oneOf", ()):
            walk(branch, path, above)
        if isinstance(part.get("items"), dict):
            walk(part["items"], path, above)
        for name, inner in part.get("properties", {}).items():
            if name == key:
                found.append((*path, name))
            walk(inner, (*path, name), above)

    walk(data, (), ())
    return found
