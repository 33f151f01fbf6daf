"""BAI206: what is sent passes the published schema."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai.schema_kinds import SCHEMA_KINDS
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, rule
from bai.linter.violation import Violation
from bai.schemas.validators import is_valid, validate


@rule("BAI206", form=Form.SPEC)
def wire_form(resource: ResourceView) -> Iterator[Violation]:
    kind = SCHEMA_KINDS.get(resource.kind)
    # Messages for what breaks the schema in files are in `bai.linter.schema`.
    if kind and not is_valid(kind, resource.wire):
        for error in validate(kind, resource.wire):
            yield Violation(error.path, error.message)
