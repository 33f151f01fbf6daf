"""Whether a job uses its own mounts and directories alone, as nearly all do: a fast check."""

from __future__ import annotations

import re
from typing import Final

from bai.linter.context import RuleContext
from bai.linter.facts.variables import directory_ids
from bai.linter.facts.volumes import mount_paths
from bai.linter.resource_view import ResourceView

_END: Final = r"(?=[/\s\"']|\Z)"
_USE: Final = re.compile(
    rf"\$\{{?AZ_BATCHAI_(?:(?:JOB_MOUNT_ROOT\}}?/(\w[\w.-]*)|MOUNT_ROOT\}}?/(\w[\w.-]*)){_END}"
    r"|INPUT_(\w+)|OUTPUT_(\w+))",
    re.ASCII,
)
"""A path on a mount of the job or of its cluster, or a directory: the groups are their names."""


def uses_own_variables(job: ResourceView, context: RuleContext) -> bool:
    """Return whether every `$` of a job begins a path on a mount, or one of its directories.

    They are its own; a cluster's mounts are its own, too, if it has no others and the cluster is
    not known. No path leads upwards. It may return False where all this is so, but is written in
    another way.
    """
    uses = _USE.findall(job.joined)
    if len(uses) != job.joined.count("$") or ".." in job.joined:
        return False
    if not uses:
        return True
    mounted, on_cluster, inputs, outputs = map(set, zip(*uses, strict=True))
    mounts = mount_paths(job)
    if mounts is None or not mounted <= {"", *mounts}:
        return False
    if on_cluster != {""} and (mounts or context.cluster_of(job)):
        return False
    ids = directory_ids(job)
    return inputs <= {"", *ids["INPUT"]} and outputs <= {"", *ids["OUTPUT"]}
