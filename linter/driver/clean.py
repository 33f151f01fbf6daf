"""Checks of Batch AI's own files: job, cluster and file server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bai.compiler.batchai.schema_kinds import SCHEMA_KINDS
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.resource_view import ResourceView
from bai.linter.rules.registry import has_violations
from bai.schemas.validators import is_valid
from bai.specs.source.plain_scalar import resolved

if TYPE_CHECKING:
    from bai.specs.document import Document


def is_clean(context: RuleContext) -> bool:
    """Return whether files have no findings, without looking for places."""
    valid = all(is_valid(SCHEMA_KINDS[item.kind], item.wire, "source") for item in context.items)
    return valid and not has_violations(context)


def view_of(kind: Kind, document: Document) -> ResourceView:
    """Return a document as rules look at it, with its places."""
    return ResourceView(kind, resolved(document.data), places=document, source=document.text)
