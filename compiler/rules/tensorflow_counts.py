"""BAI703: a TensorFlow job has at most one parameter server on each node."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Resources, Rule


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        settings = job.properties.tensor_flow_settings
        if not settings or settings.parameter_server_count is None:
            continue
        if settings.parameter_server_count > job.properties.node_count:
            count, nodes = settings.parameter_server_count, job.properties.node_count
            path = ("properties", "tensorFlowSettings", "parameterServerCount")
            message = f"{count} parameter servers are more than nodeCount {nodes}"
            yield Complaint(resource, path, message, "at most one on each node")


RULE = Rule("BAI703", "more parameter servers than nodes", _check)
