"""Compiled resources as rules see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bai.compiler.resources.resource import Resource
from bai.linter.resource_view import ResourceView
from bai.specs.document import Document
from bai.specs.findings import Path, Span


@dataclass(frozen=True, slots=True)
class _SpecPlaces:
    """The places in a spec that a resource's values came from."""

    resource: Resource

    def span(self, path: Path) -> Span | None:
        return self.resource.span(*path)

    def key_span(self, path: Path) -> Span | None:
        return self.resource.span(*path)


def views_of(resources: Sequence[Resource], document: Document) -> list[ResourceView]:
    """Return resources as rules see them.

    Args:
        resources: the resources of one spec.
        document: the document that they were compiled from.
    """
    return [
        ResourceView(each.id.kind, each.wire, each.id, _SpecPlaces(each), document.text, document)
        for each in resources
    ]
