"""The volumes of a wire form."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any, Final

from bai.compiler.resources.ids import Kind
from bai.compiler.rules.subject import Subject
from bai.specs.findings import Path

KINDS: Final = ("azureFileShares", "azureBlobFileSystems", "fileServers", "unmanagedFileSystems")
"""The lists of `mountVolumes`."""

_HOLDERS: Final[dict[Kind, Path]] = {
    Kind.JOB: ("properties", "mountVolumes"),
    Kind.CLUSTER: ("properties", "nodeSetup", "mountVolumes"),
}


def volumes(subject: Subject) -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """Iterate over (kind, path, entry) of the volumes that a job or a cluster mounts."""
    holder = _HOLDERS.get(subject.kind)
    if holder and type(subject.get(*holder)) is dict:
        for kind in KINDS:
            for path, entry in subject.entries(*holder, kind):
                yield kind, path, entry


def mount_paths(subject: Subject) -> list[str]:
    """Return the normal form of every path below the mount root at which a volume appears."""
    found = (entry.get("relativeMountPath") for _, _, entry in volumes(subject))
    return [posixpath.normpath(path) for path in found if isinstance(path, str)]
