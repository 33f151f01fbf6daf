"""Records of nodes that are prepared by the setup task of their cluster."""

from __future__ import annotations

from dataclasses import dataclass

from bai.compiler.resources.ids import ResourceId


@dataclass(frozen=True, slots=True)
class PreparingNode:
    """A node that is being prepared."""

    cluster: ResourceId
    cluster_uuid: str
    """What tells its cluster from an earlier one of that name."""
    number: int
    """Its index in the cluster."""
    uuid: str
    """What tells it from an earlier node with that number."""
    run: int = 0
    """The newest run of its setup task, from 1; 0 before the first."""
