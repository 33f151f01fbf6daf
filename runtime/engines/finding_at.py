"""Findings of an engine, at the value in the user's file that they are about."""

from __future__ import annotations

from bai.compiler.resources.resource import Resource
from bai.specs.codes import make_finding
from bai.specs.findings import Finding, Path


def finding_at(
    resource: Resource, path: Path, code: str, message: str, hint: str | None = None
) -> Finding:
    """Return a finding about the wire value at `path`."""
    return make_finding(code, message, resource.span(*path), hint)
