"""The texts of a job in which the service expands variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bai.compiler.resources.job import Job
from bai.specs.findings import Path


def texts(job: Job) -> Iterator[tuple[Path, str]]:
    """Iterate over (wire path, text) of every string below the job's properties."""

    def visit(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, dict):
            for key, inner in value.items():
                yield from visit(inner, (*path, key))
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                yield from visit(inner, (*path, index))

    wire = job.to_wire()["properties"]
    wire.pop("mountVolumes", None)
    yield from visit(wire, ("properties",))
