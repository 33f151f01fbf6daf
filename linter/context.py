"""The resources of one check, which may name each other, and the environment of the check."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from functools import cached_property

from bai.compiler.resources.ids import Kind
from bai.linter.environment import NOTHING, LintEnvironment
from bai.linter.resource_view import ResourceView


class RuleContext:
    """The resources of one check, which may name each other, and its environment."""

    def __init__(
        self,
        items: Sequence[ResourceView],
        environment: LintEnvironment = NOTHING,
        directory: str | None = None,
    ) -> None:
        """Hold the resources.

        Args:
            items: the resources.
            environment: external inputs of the lint run.
            directory: absolute path of the folder that relative paths in specs start from; None
                where no file is looked at.
        """
        self.items = items
        self.directory = directory
        self.files = environment.files
        self.shell = environment.shell
        self.packages = environment.packages
        self.fuse_accounts = environment.fuse_accounts
        self.own_python = environment.own_python
        self._given = environment.clusters
        self.jobs = [item for item in items if item.kind is Kind.JOB]
        self.clusters = [item for item in items if item.kind is Kind.CLUSTER]
        self.mounts_folders = any(item.code or "--bind" in item.joined for item in items)
        """Whether any resource has a folder of this machine: a mount, or the code of a job."""

    def shown(self, path: str) -> str:
        """Return an absolute path for messages: relative to the spec, where that is shorter."""
        if self.directory is None:
            return path
        return min(posixpath.relpath(path, self.directory), path, key=len)

    @cached_property
    def _clusters_by_id(self) -> dict[str, ResourceView]:
        # The first of several with one id. To the service, ids are the same in any case, but a
        # spec with two names that differ only in case means the one that it writes.
        ids = [(_id(item), item) for item in reversed(self.clusters)]
        return {id.lower(): item for id, item in ids if id} | {id: item for id, item in ids if id}

    def cluster_of(self, job: ResourceView) -> ResourceView | None:
        """Return the cluster that a job runs on, if it is known.

        Batch AI's files rarely have names, and job files need not name a cluster. A cluster given
        by an option is that of all job files; else it is the only cluster in the same file.
        """
        if self._given and not job.is_compiled:
            return self._given[0]
        if not self.clusters:
            # Usual for job files, and many rules call this.
            return None
        wanted = job.text("properties", "cluster", "id") or ""
        by_id = self._clusters_by_id
        if found := by_id.get(wanted) or by_id.get(wanted.lower()):
            return found
        if job.is_compiled or len(self.clusters) != 1:
            return None
        [only] = self.clusters
        # The file's own id may be another one.
        return None if wanted and _id(only) else only


def _id(resource: ResourceView) -> str:
    """Return the ARM id of a resource, empty if it has none."""
    return str(resource.id or resource.text("id") or "")
