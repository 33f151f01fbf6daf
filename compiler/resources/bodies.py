"""The typed bodies of all kinds of resources."""

from __future__ import annotations

from typing import Any

from bai.compiler.resources.base import WireModel
from bai.compiler.resources.cluster import Cluster, FileServer
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.job import Job


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


def body_from_wire(kind: Kind, data: Any) -> Body:
    """Build a body of `kind` from JSON data.

    Raises:
        pydantic.ValidationError: the data is not of that shape.
    """
    body: Body = BODIES[kind].model_validate(data)  # type: ignore[assignment]
    return body
