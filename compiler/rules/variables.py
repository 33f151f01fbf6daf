"""Where environment variables are set in a wire form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.compiler.rules.subject import Subject
from bai.specs.findings import Path

LISTS: Final = ("environmentVariables", "secrets")

_HOLDERS: Final[dict[Kind, Path]] = {
    Kind.JOB: ("properties",),
    Kind.CLUSTER: ("properties", "nodeSetup", "setupTask"),
}


def environments(subject: Subject) -> Iterator[Path]:
    """Iterate over the paths of the mappings that hold `LISTS` of variables."""
    if holder := _HOLDERS.get(subject.kind):
        yield holder
