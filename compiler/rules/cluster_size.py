"""BAI801: a job's nodes fit on its cluster."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Resources, Rule


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        pair = resources.cluster_of(job)
        if pair is None:
            continue
        most = pair[1].properties.scale_settings.most_nodes
        needed = job.properties.node_count
        if 0 < most < needed:
            message = f"the job needs {needed} nodes, the cluster {pair[0].id.name} has {most}"
            hint = "it would wait forever: lower nodeCount or raise the cluster's scale"
            yield Complaint(resource, ("properties", "nodeCount"), message, hint)


RULE = Rule("BAI801", "a job is larger than its cluster", _check)
