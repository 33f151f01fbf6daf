"""BAI804: a cluster scaled to no nodes at all, as people do between runs, starts no job."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Resources, Rule
from bai.specs.findings import Severity


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        pair = resources.cluster_of(job)
        if pair and pair[1].properties.scale_settings.most_nodes == 0:
            message = f"the cluster {pair[0].id.name} has no nodes: a new job would wait for them"
            hint = "raise its scale to run the job"
            yield Complaint(resource, ("properties", "nodeCount"), message, hint)


RULE = Rule("BAI804", "a job on a cluster without nodes", _check, Severity.WARNING)
