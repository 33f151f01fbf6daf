"""The defaults of a compilation, its result, and findings about several results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.sweep import Sweep, SweepId, sweep_of
from bai.specs.codes import make_finding
from bai.specs.findings import Finding, FindingsError, errors

NO_SUBSCRIPTION = "00000000-0000-0000-0000-000000000000"
UNNAMED = "local"
"""The resource group, workspace, location and VM size of a context that names none."""


_ORDER: Final = (Kind.WORKSPACE, Kind.EXPERIMENT, Kind.FILE_SERVER, Kind.CLUSTER, Kind.JOB)
"""An order in which resources can be made."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """Values for what a spec may leave out. None makes a value required in the spec."""

    subscription: str | None = NO_SUBSCRIPTION
    resource_group: str | None = None
    workspace: str | None = None
    location: str | None = None
    storage_account: str | None = None
    """None leaves the old command line's placeholder, which `az batchai` fills in."""
    cluster: str | None = None
    """The cluster of jobs that name none, in specs that declare none: a name or an ARM id. None
    makes one to measure for each experiment.
    """
    vm_size: str = UNNAMED


@dataclass(frozen=True, slots=True)
class Compilation:
    """The resources of one spec, in the order in which they must exist, and all findings."""

    resources: tuple[Resource, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    """What was changed on the user's request, a cap of the node count for one."""
    sweeps: tuple[Sweep, ...] = ()
    """The settings of its sweeps, whose members are among the resources."""

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


def members_by_sweep(resources: Iterable[Resource]) -> Mapping[SweepId, list[ResourceId]]:
    """Return sweep -> the jobs that are its members, in their order."""
    found: dict[SweepId, list[ResourceId]] = {}
    for each in resources:
        if each.id.kind is Kind.JOB and (sweep := sweep_of(each.id, each.wire)):
            found.setdefault(sweep, []).append(each.id)
    return found


def merged(compilations: Iterable[Compilation]) -> list[Resource]:
    """Return the resources of compilations, each once, in the order in which they must exist."""
    found: dict[ResourceId, Resource] = {}
    for compilation in compilations:
        for resource in compilation.resources:
            found.setdefault(resource.id, resource)
    return sorted(found.values(), key=lambda resource: _ORDER.index(resource.id.kind))


def findings_of(compilations: Sequence[Compilation]) -> Iterator[Finding]:
    """Iterate over the findings of compilations, with those about pairs of them."""
    for compilation in compilations:
        yield from compilation.findings
    yield from duplicates(each for one in compilations for each in one.resources)


def duplicates(resources: Iterable[Resource]) -> Iterator[Finding]:
    """Yield a finding for every resource that was already declared in another form or case.

    Specs of one file, or of several that are applied together, may share a cluster; they share it
    only if they agree on what it is.
    """
    first: dict[str, Resource] = {}
    for resource in resources:
        # To the service, ids are the same in any case.
        known = first.setdefault(str(resource.id).lower(), resource)
        if known.wire == resource.wire and known.id == resource.id:
            continue
        name = f"{resource.id.kind.singular} {resource.id.name}"
        place = known.span()
        where = f" at {place}" if place else ""
        message = f"the {name} is declared once more, and not as the first time{where}"
        if known.id.name != resource.id.name:
            message = f"the {name} is {known.id.name}{where}: names are the same in any case"
        hint = "give one of them another name, or write both alike"
        yield make_finding("BAI410", message, resource.span(), hint)
