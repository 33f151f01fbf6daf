"""BAI506: every path below a mount root has a mount at that level."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bai.compiler.resources.cluster import Cluster
from bai.compiler.resources.mounts import MountVolumes
from bai.compiler.rules.rule import Complaint, Resources, Rule
from bai.compiler.rules.texts import expanded_texts
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


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        pair = resources.cluster_of(job)
        job_level = _Level("job", _paths(job.properties.mount_volumes))
        cluster_level = _Level("cluster", _cluster_paths(pair[1]) if pair else None)
        for path, text in expanded_texts(job):
            for match in _ROOT.finditer(text):
                level = job_level if match[1] or match[2] else cluster_level
                if found := level.complaint(text[match.end() :]):
                    message, hint, wrong = found
                    yield Complaint(resource, path, message, hint, f"{match[0]}{wrong}")
    for resource, cluster in resources.clusters():
        level = _Level("cluster", _cluster_paths(cluster))
        for path, text in expanded_texts(cluster):
            for match in _ROOT.finditer(text):
                if match[1] or match[2]:
                    message = "a setup task runs before any job: it has no job mounts"
                    hint = "use $AZ_BATCHAI_MOUNT_ROOT"
                    yield Complaint(resource, path, message, hint, match[0].rstrip("/"))
                elif found := level.complaint(text[match.end() :]):
                    message, hint, wrong = found
                    yield Complaint(resource, path, message, hint, f"{match[0]}{wrong}")


def _begins(rest: str, mount: str) -> bool:
    """Return whether a text begins with a mount's path, and not just with a longer name."""
    return rest.startswith(mount) and not re.match(r"[-\w.]", rest[len(mount) :])


def _cluster_paths(cluster: Cluster) -> list[str]:
    setup = cluster.properties.node_setup
    return _paths(setup.mount_volumes if setup else None)


def _paths(volumes: MountVolumes | None) -> list[str]:
    listed = volumes.to_list() if volumes else []
    return [posixpath.normpath(volume.relative_mount_path) for volume in listed]


RULE = Rule("BAI506", "a path below a mount root has no mount", _check)
