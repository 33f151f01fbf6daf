"""BAI416: a job looks for its own mounts below its own mount root.

What the job mounts is below `$AZ_BATCHAI_JOB_MOUNT_ROOT`; below `$AZ_BATCHAI_MOUNT_ROOT` are the
mounts of its cluster. Where the cluster is not known, it may have a mount of that name, too.

Wrong (job.json):

    {
      "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/data"
    }

Right (job.json):

    {
      "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data"
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.roots import Mounts, root_uses
from bai.linter.facts.tree import Place
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Part, Violation


@context_rule("BAI416", Kind.JOB)
def own_mounts(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    mounts: Mounts | None = None
    for use, place in root_uses(job):
        if use.name != CLUSTER_ROOT or place.path.startswith("."):
            continue
        mounts = mounts or Mounts.seen_by(job, context)
        own = mounts.at(JOB_ROOT)
        # Where the cluster's mounts are known, BAI506 tells.
        if own is None or mounts.at(CLUSTER_ROOT) is not None:
            continue
        if place.among(own)[0] is Place.ON:
            message = f"{place.path} is on a mount of the job, not below ${CLUSTER_ROOT}"
            hint = f"write ${JOB_ROOT}, unless the cluster has such a mount, too"
            yield Violation(Part(use.path, use.written), message, hint)
