"""Checks of Batch AI's own files: job, cluster and file server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bai.compiler.resources.ids import Kind
from bai.compiler.rules.registry import has_complaints
from bai.compiler.rules.schema.wire_form import SCHEMA_KINDS
from bai.compiler.rules.subject import Subject, Subjects
from bai.schemas.validators import is_valid
from bai.specs.plain import resolved

if TYPE_CHECKING:
    from bai.specs.document import Document


def is_clean(subjects: Subjects) -> bool:
    """Return whether there is nothing to find in files, without asking where it would be."""
    valid = all(is_valid(SCHEMA_KINDS[item.kind], item.wire, "source") for item in subjects.items)
    return valid and not has_complaints(subjects)


def subject_of(kind: Kind, document: Document) -> Subject:
    """Return what a document says, with its places."""
    return Subject(kind, resolved(document.data), places=document, source=document.text)
