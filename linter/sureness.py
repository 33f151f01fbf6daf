"""Which findings hold, although parameters of the spec have no values yet."""

from __future__ import annotations

from typing import Final

from bai.linter.resource_view import ResourceView
from bai.specs.findings import Finding

_SCALE: Final = "BAI8"
"""The group of findings about numbers that many places of a spec decide together."""


def is_sure(finding: Finding, resource: ResourceView) -> bool:
    """Return whether a rule's finding holds whatever values the parameters of its spec get."""
    spec = resource.spec
    if spec is None or not spec.unsure:
        return True
    is_counted = finding.code.startswith(_SCALE)
    return (spec.has_sure_counts or not is_counted) and spec.is_sure(finding.span)
