"""BAI206: what is sent passes the published schema.

The compiler checks every resource that it makes against the schema that the service publishes. No
spec should ever break it: if one does, that is a mistake in bai, found before the service refuses
the request. `bai import` says it of files with values that no resource can hold.

Wrong (job.json):

    {"nodeCount": "two"}

Right (job.json):

    {"nodeCount": 2}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.schemas.validators import SchemaKind, is_valid, validate

SCHEMA_KINDS: Final[dict[Kind, SchemaKind]] = {
    Kind.JOB: "job",
    Kind.CLUSTER: "cluster",
    Kind.FILE_SERVER: "fileServer",
}


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        kind = SCHEMA_KINDS.get(subject.kind)
        # Files have their own words for what breaks the schema: they are what people wrote.
        if kind is None or not subject.is_compiled or is_valid(kind, subject.wire):
            continue
        for error in validate(kind, subject.wire):
            yield Complaint(subject, error.path, error.message)


RULE = Rule("BAI206", "a resource that breaks Batch AI's schema", _check)
