"""Where environment variables are set in a wire form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.specs.findings import Path

LISTS: Final = ("environmentVariables", "secrets")

_HOLDERS: Final[dict[Kind, Path]] = {
    Kind.JOB: ("properties",),
    Kind.CLUSTER: ("properties", "nodeSetup", "setupTask"),
}


def environments(resource: ResourceView) -> Iterator[Path]:
    """Iterate over the paths of the mappings that hold `LISTS` of variables."""
    if holder := _HOLDERS.get(resource.kind):
        yield holder
