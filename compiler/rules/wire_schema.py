"""BAI206: what is sent passes the published schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.compiler.rules.rule import Complaint, Resources, Rule
from bai.schemas.validators import SchemaKind, is_valid, validate

_KINDS: Final[dict[Kind, SchemaKind]] = {
    Kind.JOB: "job",
    Kind.CLUSTER: "cluster",
    Kind.FILE_SERVER: "fileServer",
}


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource in resources.items:
        kind = _KINDS.get(resource.id.kind)
        if kind is None or is_valid(kind, wire := resource.to_wire()):
            continue
        for error in validate(kind, wire):
            yield Complaint(resource, error.path, error.message)


RULE = Rule("BAI206", "the wire form breaks Batch AI's schema", _check)
