"""The volumes of a wire form."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.resources.ids import Kind
from bai.linter.facts.memo import memo
from bai.linter.resource_view import ResourceView
from bai.specs.findings import Path

KINDS: Final = ("azureFileShares", "azureBlobFileSystems", "fileServers", "unmanagedFileSystems")
"""The lists of `mountVolumes`."""

_HOLDERS: Final[dict[Kind, Path]] = {
    Kind.JOB: ("properties", "mountVolumes"),
    Kind.CLUSTER: ("properties", "nodeSetup", "mountVolumes"),
}


class Volume(NamedTuple):
    """One entry of a `mountVolumes`."""

    kind: str
    """One of `KINDS`."""
    path: Path
    entry: dict[str, Any]

    def text(self, key: str) -> str | None:
        """Return the text behind a key, unless an expression of a template stands there."""
        value = self.entry.get(key)
        return value if isinstance(value, str) and not is_expression(value) else None


@memo
def volumes(resource: ResourceView) -> Sequence[Volume]:
    """Return the volumes that a job or a cluster mounts."""
    holder = _HOLDERS.get(resource.kind)
    if holder is None or type(resource.get(*holder)) is not dict:
        return ()
    return [
        Volume(kind, path, entry)
        for kind in KINDS
        for path, entry in resource.entries(*holder, kind)
    ]


@memo
def mount_paths(resource: ResourceView) -> Sequence[str] | None:
    """Return the normal form of every path below the mount root at which a volume appears.

    None where they are not all known: something is an expression, of a wrong type, or leaves the
    root.
    """
    holder = resource.get(*_HOLDERS[resource.kind])
    if holder is None:
        return ()
    lists = [holder.get(kind) for kind in KINDS] if type(holder) is dict else [holder]
    if any(each is not None and type(each) is not list for each in lists):
        return None
    found = [volume.text("relativeMountPath") for volume in volumes(resource)]
    known = [posixpath.normpath(path) for path in found if path is not None]
    if len(known) < sum(len(each or ()) for each in lists) or any(map(_leaves, known)):
        return None
    return known


def _leaves(path: str) -> bool:
    """Return whether a path's normal form leads out of the mount root."""
    return path.startswith(("/", "../")) or path == ".."
