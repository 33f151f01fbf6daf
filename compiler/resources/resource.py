"""The unit that the compiler makes, a plan compares and a provider holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bai.compiler.resources.base import WireModel
from bai.compiler.resources.cluster import Cluster, FileServer
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.job import Job
from bai.specs.findings import Path, Span


class Workspace(WireModel):
    """A workspace in its wire form (WorkspaceCreateParameters)."""

    location: str
    tags: dict[str, str] | None = None


class Experiment(WireModel):
    """An experiment in its wire form, which has no properties of its own."""


Body = Workspace | Experiment | FileServer | Cluster | Job

BODIES: dict[Kind, type[WireModel]] = {
    Kind.WORKSPACE: Workspace,
    Kind.EXPERIMENT: Experiment,
    Kind.FILE_SERVER: FileServer,
    Kind.CLUSTER: Cluster,
    Kind.JOB: Job,
}


@dataclass(frozen=True, slots=True)
class Resource:
    """One desired Batch AI resource."""

    id: ResourceId
    body: Body
    spans: Mapping[Path, Span] = field(default_factory=dict, compare=False, repr=False)
    """Path in the wire form -> where the user wrote what it came from."""

    def to_wire(self) -> dict[str, Any]:
        """Return the body as JSON data, with markers in place of secrets."""
        return self.body.to_wire()

    def span(self, *path: str | int) -> Span | None:
        """Return the span of a wire path, or of the nearest part above it that has one."""
        for length in range(len(path), -1, -1):
            if span := self.spans.get(path[:length]):
                return span
        return None


def body_from_wire(kind: Kind, data: Any) -> Body:
    """Build a body of `kind` from JSON data.

    Raises:
        pydantic.ValidationError: the data is not of that shape.
    """
    body: Body = BODIES[kind].from_wire(data)  # type: ignore[assignment]
    return body
