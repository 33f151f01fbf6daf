"""The volumes of a wire form."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.resources.ids import Kind
from bai.linter.facts.memo import memo
from bai.linter.resource_view import ResourceView
from bai.specs.findings import Path

FILE_SHARES: Final = "azureFileShares"
BLOB_CONTAINERS: Final = "azureBlobFileSystems"
FILE_SERVERS: Final = "fileServers"
UNMANAGED: Final = "unmanagedFileSystems"
KINDS: Final = (FILE_SHARES, BLOB_CONTAINERS, FILE_SERVERS, UNMANAGED)
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
    in_spec: bool

    def at(self, *keys: str) -> Path:
        """Return the path of what stands behind keys."""
        return *self.path, *keys

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
        Volume(kind, path, entry, resource.is_compiled)
        for kind in KINDS
        for path, entry in resource.entries(*holder, kind)
    ]


def bound_folders(resource: ResourceView) -> Iterator[tuple[str, str]]:
    """Iterate over (mount path, folder) of the folders of this machine that a resource mounts.

    The code of a job is one of them, at the path of its snapshot.
    """
    if resource.code:
        yield resource.code.mount_path, resource.code.folder
    for volume in volumes(resource):
        command, path = volume.entry.get("mountCommand"), volume.entry.get("relativeMountPath")
        if isinstance(path, str) and isinstance(command, str) and "--bind" in command:
            from bai.compiler.resources.binds import bound_directory  # few files need it

            if volume.kind == UNMANAGED and (folder := bound_directory(command)):
                yield path, folder


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
    leave_root = any(path.startswith(("/", "../")) or path == ".." for path in known)
    return None if leave_root or len(known) < sum(len(each or ()) for each in lists) else known
