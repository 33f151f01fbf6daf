"""The defaults of a compilation, and its result."""

from __future__ import annotations

from dataclasses import dataclass, field

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.specs.findings import Finding, FindingsError, errors

NO_SUBSCRIPTION = "00000000-0000-0000-0000-000000000000"
UNNAMED = "local"
"""The resource group, workspace and location of a context that names none."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """Values for what a spec may leave out. None makes a value required in the spec."""

    subscription: str | None = NO_SUBSCRIPTION
    resource_group: str | None = None
    workspace: str | None = None
    location: str | None = None
    storage_account: str | None = None
    """None leaves the old command line's placeholder, which `az batchai` fills in."""


@dataclass(frozen=True, slots=True)
class Compilation:
    """The resources of one spec, in the order in which they must exist, and all findings."""

    resources: tuple[Resource, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = field(default=())
    """What was changed on the user's request, a cap of the node count for one."""

    def check(self) -> Compilation:
        """Return self.

        Raises:
            FindingsError: a finding is an error.
        """
        if found := errors(self.findings):
            raise FindingsError(found)
        return self

    def get(self, id: ResourceId) -> Resource | None:
        """Return the resource with this id, if the spec has it."""
        return next((resource for resource in self.resources if resource.id == id), None)

    def of_kind(self, kind: Kind) -> tuple[Resource, ...]:
        """Return the resources of one kind."""
        return tuple(resource for resource in self.resources if resource.id.kind is kind)
