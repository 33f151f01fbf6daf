"""The preconditions of a change; what is not met is a finding at its place in the user's files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.job import Job
from bai.compiler.resources.resource import Resource
from bai.runtime.plan.plan import Action, Change
from bai.runtime.provider.base import Provider
from bai.runtime.revealing import missing
from bai.specs.codes import make_finding
from bai.specs.findings import Finding, Path
from bai.specs.names import suggestion
from bai.specs.secrets import STORAGE_KEY, SecretRef, parse_secret_marker

IN_PLACE = {Kind.CLUSTER: ("properties", "scaleSettings"), Kind.WORKSPACE: ("tags",)}
"""Kind -> the only part that changes in place, as in Batch AI."""


def check_preconditions(
    change: Change, desired: Mapping[ResourceId, Resource], provider: Provider
) -> Iterator[Finding]:
    """Yield a finding for each precondition that a change does not meet.

    Args:
        change: what is to be done.
        desired: all resources of the plan.
        provider: holds the live resources.
    """
    if change.action is Action.REFUSE:
        yield _refusal(change)
    elif change.action is not Action.NONE:
        yield from provider.check(change.resource, desired)
        yield from _missing_resources(change.resource, desired, provider)
        if isinstance(change.resource.body, Job):
            yield from _missing_secrets(change.resource)


def _refusal(change: Change) -> Finding:
    id = change.resource.id
    part = IN_PLACE.get(id.kind, ("nothing",))
    first = next(d for d in change.differences if d.path[: len(part)] != part)
    name = ".".join(map(str, first.path))
    message = f"the {id.kind.singular} {id.name} lives with another {name}; {change.reason}"
    hint = f"delete it first (`bai delete {id.kind.singular} {id.name}`) or choose another name"
    return make_finding("BAI406", message, change.resource.span(*first.path), hint)


_MOUNTED: Final[dict[Kind, Path]] = {
    Kind.JOB: ("properties", "mountVolumes", "fileServers"),
    Kind.CLUSTER: ("properties", "nodeSetup", "mountVolumes", "fileServers"),
}
"""Where the file servers that a resource mounts stand in its wire form."""


def _missing_resources(
    resource: Resource, desired: Mapping[ResourceId, Resource], provider: Provider
) -> Iterator[Finding]:
    """Yield a finding for each missing cluster and file server that a resource needs."""
    for wanted, path in _needed(resource):
        if wanted in desired or provider.get(wanted):
            continue
        known = [id.name for id in provider.ids(wanted.kind, wanted.parent)]
        known += [id.name for id in desired if id.kind is wanted.kind]
        is_cluster = wanted.kind is Kind.CLUSTER
        part = "clusters" if is_cluster else "fileServers"
        declare = f"declare it under {part}, or apply the file that does together with this one"
        hint = suggestion(wanted.name, known) if known else declare
        what = "cluster" if is_cluster else "file server"
        message = f"there is no {what} {wanted.name!r} in workspace {wanted.workspace}"
        if is_cluster and path not in resource.spans:
            message += ", which the context names"
        yield make_finding("BAI407", message, resource.span(*path), hint)


def _needed(resource: Resource) -> Iterator[tuple[ResourceId, Path]]:
    """Yield the ids of the clusters and file servers that a resource names, and where."""
    if isinstance(resource.body, Job) and resource.body.properties.cluster:
        yield ResourceId.parse(resource.body.properties.cluster.id), ("properties", "cluster")
    if path := _MOUNTED.get(resource.id.kind):
        mounts: Any = resource.to_wire()
        for step in path:
            mounts = (mounts or {}).get(step)
        for index, mount in enumerate(mounts or ()):
            yield ResourceId.parse(mount["fileServer"]["id"]), (*path, index, "fileServer")


def _missing_secrets(resource: Resource) -> Iterator[Finding]:
    """Yield a finding for each secret of a job that can't be looked up now."""
    assert isinstance(resource.body, Job)
    references: dict[SecretRef, tuple[str | int, ...]] = {}
    for index, variable in enumerate(resource.body.properties.secrets or ()):
        if variable.value is not None and variable.value != STORAGE_KEY:
            reference = parse_secret_marker(variable.value)
            references[reference] = ("properties", "secrets", index)
    for reference, reason in missing(references).items():
        yield make_finding("BAI604", reason, resource.span(*references[reference]))
