"""BAI506: every path below a mount root has a mount at that level."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bai.compiler.resources.cluster import Cluster
from bai.compiler.resources.job import Job
from bai.compiler.resources.mounts import MountVolumes
from bai.compiler.rules.rule import Complaint, Resources, Rule
from bai.compiler.rules.texts import texts
from bai.specs.names import suggestion

_PATH = re.compile(r"\$\{?AZ_BATCHAI_(JOB_)?MOUNT_ROOT\}?/([^\s\"'$;:|&<>()]+)")


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        cluster_mounts = _cluster_mounts(resources, job)
        job_mounts = _paths(job.properties.mount_volumes)
        for path, text in texts(job):
            for job_level, below in _PATH.findall(text):
                mounts = job_mounts if job_level else cluster_mounts
                if mounts is None or any(_covers(mount, below) for mount in mounts):
                    continue
                level = "job" if job_level else "cluster"
                first = below.split("/")[0]
                hint = (
                    suggestion(first, mounts)
                    if mounts
                    else f"declare it under the {level}'s mounts"
                )
                message = f"the {level} has no mount {first!r}"
                yield Complaint(resource, path, message, hint)


def _cluster_mounts(resources: Resources, job: Job) -> list[str] | None:
    """Return the mount paths of the job's cluster; None if the cluster is not known here."""
    cluster = resources.cluster_of(job)
    if cluster is None or not isinstance(cluster.body, Cluster):
        return None
    setup = cluster.body.properties.node_setup
    return _paths(setup.mount_volumes if setup else None)


def _paths(volumes: MountVolumes | None) -> list[str]:
    return [volume.relative_mount_path for volume in volumes.to_list()] if volumes else []


def _covers(mount: str, path: str) -> bool:
    mount = mount.strip("/")
    return path == mount or path.startswith(f"{mount}/")


RULE = Rule("BAI506", "a path below a mount root has no mount", _check)
