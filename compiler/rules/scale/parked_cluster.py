"""BAI804: a cluster scaled to no nodes at all, as people do between runs, starts no job."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.scale.scales import most_nodes
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for job in subjects.jobs:
        cluster = subjects.cluster_of(job)
        if cluster and most_nodes(cluster) == 0:
            message = f"the cluster {cluster.name} has no nodes: a new job would wait for them"
            hint = "raise its scale to run the job"
            yield Complaint(job, ("properties", "nodeCount"), message, hint)


RULE = Rule("BAI804", "a job on a cluster without nodes", _check, Severity.WARNING)
