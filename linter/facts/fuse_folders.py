"""The folders of a job that FUSE shows: containers of storage accounts that are real."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Final

from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT
from bai.linter.context import RuleContext
from bai.linter.facts.memo import memo
from bai.linter.facts.volumes import BLOB_CONTAINERS, volumes
from bai.linter.resource_view import ResourceView

_VARIABLE: Final = re.compile(r"\$(?:\{(\w+)\}|(\w+))(/[^$]*)?")
_DIRECTORIES: Final = {
    "INPUT": ("inputDirectories", "path"),
    "OUTPUT": ("outputDirectories", "pathPrefix"),
}


@memo
def fuse_folders(job: ResourceView, context: RuleContext) -> Mapping[str, str]:
    """Return path, as `VARIABLE/PATH`, -> name of the mount that is there, for all of a job's."""
    if not context.fuse_accounts or job.get("properties", "containerSettings"):
        # A job in a container has copies.
        return {}
    cluster = context.cluster_of(job)
    found = dict(_mounted(job, JOB_ROOT, context))
    if cluster:
        found.update(_mounted(cluster, CLUSTER_ROOT, context))
    for kind, (key, begin) in _DIRECTORIES.items() if found else ():
        for _, entry in job.entries("properties", key):
            if mount := mount_at(found, str(entry.get(begin))):
                found[f"AZ_BATCHAI_{kind}_{entry.get('id')}"] = mount
    return found


def mount_at(folders: Mapping[str, str], path: str) -> str | None:
    """Return the name of the mount that a path is in, which begins with a variable."""
    match = _VARIABLE.match(path)
    if not match:
        return None
    variable, rest = match[1] or match[2], (match[3] or "").strip("/")
    names = posixpath.normpath(f"{variable}/{rest}").split("/")
    known = ("/".join(names[:end]) for end in range(1, len(names) + 1))
    return next((folders[each] for each in known if each in folders), None)


def _mounted(resource: ResourceView, root: str, context: RuleContext) -> Iterator[tuple[str, str]]:
    for volume in volumes(resource):
        path = volume.text("relativeMountPath")
        by_fuse = volume.text("accountName") in context.fuse_accounts
        if path and by_fuse and volume.kind == BLOB_CONTAINERS:
            yield posixpath.normpath(f"{root}/{path}"), path
