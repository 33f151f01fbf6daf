"""What an engine says of a resource, at the value in the user's file that it is about."""

from __future__ import annotations

from bai.compiler.resources.resource import Resource
from bai.specs.findings import Finding, Path, Severity


def refusal(
    resource: Resource, path: Path, code: str, message: str, hint: str | None = None
) -> Finding:
    """Return an error about the wire value at `path`."""
    return Finding(code, Severity.ERROR, message, resource.span(*path), hint)


def warning(resource: Resource, path: Path, code: str, message: str, hint: str) -> Finding:
    """Return a warning about the wire value at `path`."""
    return Finding(code, Severity.WARNING, message, resource.span(*path), hint)
