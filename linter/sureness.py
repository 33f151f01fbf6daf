"""Findings of rules about values that parameters of the spec decide."""

from __future__ import annotations

from typing import Final

from bai.linter.resource_view import ResourceView
from bai.specs.findings import Finding

_SCALE: Final = "BAI8"
"""The group of findings about numbers that many places of a spec decide together."""


def judged(finding: Finding, resource: ResourceView) -> Finding | None:
    """Return a rule's finding with the origins of the parameters' values at its place.

    None if it may not hold, whatever values the parameters of the spec get.
    """
    spec = resource.spec
    if spec is None:
        return finding
    if spec.unsure:
        is_counted = finding.code.startswith(_SCALE)
        if (is_counted and not spec.has_sure_counts) or not spec.is_sure(finding.span):
            return None
    return spec.explained(finding)
