"""Which published schema describes which kind of resource."""

from __future__ import annotations

from typing import Final

from bai.compiler.resources.ids import Kind
from bai.schemas.validators import SchemaKind

SCHEMA_KINDS: Final[dict[Kind, SchemaKind]] = {
    Kind.JOB: "job",
    Kind.CLUSTER: "cluster",
    Kind.FILE_SERVER: "fileServer",
}
"""Kind -> name of its schema; the other kinds have none."""
