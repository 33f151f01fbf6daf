"""BAI506: every path below a mount root has a mount at that level.

A job's mounts stand below `$AZ_BATCHAI_JOB_MOUNT_ROOT`, those of its cluster below
`$AZ_BATCHAI_MOUNT_ROOT`. A path with the other root, or with a name that nothing is mounted at,
leads to an empty place on the node's own disk: results written there are lost.

Wrong (job):

    mounts: {data: "azureFile:data"}
    custom: {command: ls $AZ_BATCHAI_MOUNT_ROOT/data}

Right (job):

    mounts: {data: "azureFile:data"}
    custom: {command: ls $AZ_BATCHAI_JOB_MOUNT_ROOT/data}
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.compiler.rules.volumes import mount_paths
from bai.specs.names import suggestion

_ROOT = re.compile(r"\$(?:\{AZ_BATCHAI_(JOB_)?MOUNT_ROOT\}|AZ_BATCHAI_(JOB_)?MOUNT_ROOT)/+")
_NAME = re.compile(r"[-\w.]+(?:/+[-\w.]+)*")
"""A path without quotes, patterns and what else the shell takes for itself."""


@dataclass(frozen=True, slots=True)
class _Level:
    """The mounts below one root."""

    owner: str
    mounts: list[str] | None
    """None if they are not known."""

    def complaint(self, rest: str) -> tuple[str, str, str] | None:
        """Return (message, hint, wrong part) if a path that `rest` begins with has no mount."""
        if self.mounts is None or any(_begins(rest, mount) for mount in self.mounts):
            return None
        match = _NAME.match(rest)
        if match is None:
            return None
        path = posixpath.normpath(match[0])
        if any(mount.startswith(f"{path}/") for mount in self.mounts):
            return None
        first = path.split("/")[0]
        hint = f"declare it under the {self.owner}'s mounts"
        if self.mounts:
            hint = suggestion(first, self.mounts)
        return f"the {self.owner} has no mount {first!r}", hint, first


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for job in subjects.jobs:
        cluster = subjects.cluster_of(job)
        levels = {
            True: _Level("job", mount_paths(job)),
            False: _Level("cluster", mount_paths(cluster) if cluster else None),
        }
        for path, text in job.expanded_texts:
            for match in _ROOT.finditer(text):
                of_job = bool(match[1] or match[2])
                if found := levels[of_job].complaint(text[match.end() :]):
                    message, hint, wrong = found
                    yield Complaint(job, path, message, hint, f"{match[0]}{wrong}")
    for cluster in subjects.clusters:
        level = _Level("cluster", mount_paths(cluster))
        for path, text in cluster.expanded_texts:
            for match in _ROOT.finditer(text):
                if match[1] or match[2]:
                    message = "a setup task runs before any job: it has no job mounts"
                    hint = "use $AZ_BATCHAI_MOUNT_ROOT"
                    yield Complaint(cluster, path, message, hint, match[0].rstrip("/"))
                elif found := level.complaint(text[match.end() :]):
                    message, hint, wrong = found
                    yield Complaint(cluster, path, message, hint, f"{match[0]}{wrong}")


def _begins(rest: str, mount: str) -> bool:
    """Return whether a text begins with a mount's path, and not just with a longer name."""
    return rest.startswith(mount) and not re.match(r"[-\w.]", rest[len(mount) :])


RULE = Rule("BAI506", "a path below a mount root has no mount", _check)
