"""How many nodes a cluster may have."""

from __future__ import annotations

from bai.linter.resource_view import ResourceView

SCALE = ("properties", "scaleSettings")


def most_nodes(cluster: ResourceView) -> int | None:
    """Return the most nodes that a cluster's scale allows; None if that is not given."""
    if cluster.get(*SCALE, "autoScale") is not None:
        return cluster.number(*SCALE, "autoScale", "maximumNodeCount")
    return cluster.number(*SCALE, "manual", "targetNodeCount")
