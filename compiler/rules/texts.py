"""The texts of a resource's wire form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bai.compiler.resources.cluster import Cluster
from bai.compiler.resources.job import Job
from bai.specs.findings import Path

_AS_WRITTEN: Final = frozenset(("mountVolumes", "containerSettings", "pathSuffix"))
"""Keys of a job below which the service expands no variables."""


def texts(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Iterate over (wire path, text) of every string below `value`, which stands at `path`."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from texts(inner, (*path, index))


def is_expanded(body: Job | Cluster, path: Path) -> bool:
    """Return whether the service expands its variables in the text at a wire path."""
    if isinstance(body, Job):
        return _AS_WRITTEN.isdisjoint(path)
    return "setupTask" in path


def expanded_texts(body: Job | Cluster) -> Iterator[tuple[Path, str]]:
    """Iterate over (wire path, text) of every string in which the service expands variables."""
    for path, text in texts(body.to_wire()):
        if is_expanded(body, path):
            yield path, text
