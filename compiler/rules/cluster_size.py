"""BAI801: a job's nodes fit on its cluster."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.cluster import Cluster
from bai.compiler.rules.rule import Complaint, Resources, Rule


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        cluster = resources.cluster_of(job)
        if cluster is None or not isinstance(cluster.body, Cluster):
            continue
        most = cluster.body.properties.scale_settings.most_nodes
        if job.properties.node_count > most:
            message = (
                f"the job needs {job.properties.node_count} nodes, "
                f"the cluster {cluster.id.name} has at most {most}"
            )
            hint = "it would wait forever: lower nodeCount or raise the cluster's scale"
            yield Complaint(resource, ("properties", "nodeCount"), message, hint)


RULE = Rule("BAI801", "a job is larger than its cluster", _check)
