"""Checks of Batch AI's own files: job, cluster and file server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bai.compiler.resources.ids import Kind
from bai.compiler.rules.registry import complaints
from bai.compiler.rules.schema.wire_form import SCHEMA_KINDS
from bai.compiler.rules.subject import Subject, Subjects
from bai.schemas.validators import is_valid
from bai.specs.findings import Finding
from bai.specs.plain import resolved

if TYPE_CHECKING:
    from bai.compiler.rules.machine import Files, Shell
    from bai.specs.document import Document


def is_clean(
    kind: Kind,
    data: Any,
    others: Sequence[Subject] = (),
    files: Files | None = None,
    shell: Shell | None = None,
) -> bool:
    """Return whether there is nothing to find, without asking where it would be.

    Args:
        kind: what the data is a file of.
        data: JSON data.
        others: what a job's file is checked together with.
        files: the files of this machine, for rules that look at scripts.
        shell: ShellCheck, for the rule that asks it.
    """
    if not is_valid(SCHEMA_KINDS[kind], data, "source"):
        return False
    subject = Subject(kind, data)
    found = complaints(Subjects([subject, *others], files, shell))
    return not any(complaint.subject is subject for _, complaint in found)


def subject_of(kind: Kind, document: Document) -> Subject:
    """Return what a document says, with its places."""
    return Subject(kind, resolved(document.data), places=document, source=document.text)


def check_document(
    kind: Kind,
    document: Document,
    others: Sequence[Subject] = (),
    files: Files | None = None,
    shell: Shell | None = None,
) -> Iterator[Finding]:
    """Iterate over all that is wrong with one of Batch AI's files.

    Args:
        kind: what the document is.
        document: the file's document.
        others: what a job's file is checked together with; nothing of theirs is told here.
        files: the files of this machine, for rules that look at scripts.
        shell: ShellCheck, for the rule that asks it.
    """
    from bai.compiler.lint.schema_errors import schema_findings

    subject = subject_of(kind, document)
    yield from schema_findings(subject, document)
    for rule, complaint in complaints(Subjects([subject, *others], files, shell)):
        if complaint.subject is subject:
            yield rule.finding(complaint)
