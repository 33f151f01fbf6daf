"""What specs that are compiled together declare for each other."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from bai.compiler.passes.names import Names
from bai.compiler.resources.ids import Kind, ResourceId
from bai.specs.models.experiment import ExperimentSpec
from bai.specs.models.machines import Cluster


@dataclass(frozen=True, slots=True)
class Declared:
    """The clusters and file servers of specs that may name them, their own ones included."""

    clusters: dict[ResourceId, Cluster] = field(default_factory=dict)
    """By their ids; of several with one id, the first."""
    _names: dict[ResourceId, dict[str, None]] = field(default_factory=dict)
    """The names of each kind, by the id that a resource without a name would have."""

    def add(self, names: Names, spec: ExperimentSpec) -> None:
        """Add what a spec declares."""
        for name, cluster in spec.clusters.items():
            self.clusters.setdefault(names.id(Kind.CLUSTER, name), cluster)
        for kind, found in (Kind.CLUSTER, spec.clusters), (Kind.FILE_SERVER, spec.file_servers):
            self._names.setdefault(names.id(kind, ""), {}).update(dict.fromkeys(found))

    def names(self, names: Names, kind: Kind) -> Collection[str]:
        """Return the names of a kind in the workspace of a spec with these names."""
        return self._names.get(names.id(kind, ""), {}).keys()
