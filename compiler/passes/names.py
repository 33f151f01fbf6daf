"""The names that every resource id of one spec begins with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bai.compiler.resources.ids import Kind, ResourceId

UNSET: Final = "unset"
"""Stands for a name that is missing or malformed, so that the passes can go on."""


@dataclass(frozen=True, slots=True)
class Names:
    """Where the resources of one spec live."""

    subscription: str = UNSET
    resource_group: str = UNSET
    workspace: str = UNSET
    experiment: str = UNSET
    location: str = UNSET
    location_written: bool = True
    """Whether the location stands in the spec, not in the context."""

    def id(self, kind: Kind, name: str) -> ResourceId:
        """Return the id of a resource of this experiment or workspace."""
        experiment = self.experiment if kind is Kind.JOB else None
        return ResourceId(
            self.subscription, self.resource_group, self.workspace, kind, name, experiment
        )
