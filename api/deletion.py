"""What of the declared resources can be deleted: others may use some of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from bai.compiler.compilation import Compilation
from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.jobs.records import LiveResource
from bai.session import Session
from bai.specs.load import LoadedSpec
from bai.specs.models.kinds import WorkspaceDocument


class Deletion(NamedTuple):
    """The declared resources that live."""

    ids: Sequence[ResourceId]
    """Those that can be deleted, in an order in which that works."""
    kept: Sequence[ResourceId]
    """Those that others use."""


def deletion(
    specs: Sequence[LoadedSpec], compilations: Sequence[Compilation], session: Session
) -> Deletion:
    """Return what becomes of the resources that specs declare when these are deleted.

    A workspace counts as declared only where it has a document of its own.

    Args:
        specs: valid specs.
        compilations: the compilation of each.
        session: holds what lives.
    """
    declared: set[ResourceId] = set()
    for spec, compilation in zip(specs, compilations, strict=True):
        is_workspace = isinstance(spec.model, WorkspaceDocument)
        ids = (resource.id for resource in compilation.resources)
        declared |= {id for id in ids if is_workspace or id.kind is not Kind.WORKSPACE}
    alive = {id for id in declared if session.provider.get(id)}
    used = _used_by_others(alive, session)
    return Deletion(_sorted(alive - used), _sorted(used))


def _sorted(ids: Set[ResourceId]) -> list[ResourceId]:
    return sorted(ids, key=lambda id: (-list(Kind).index(id.kind), id.name))


def _used_by_others(ids: Set[ResourceId], session: Session) -> Set[ResourceId]:
    """Return those that other resources are in, run on or mount, and what these need in turn."""
    needs = {
        live.id: {id for id in _needed(live) if id in ids}
        for kind in Kind
        for live in session.iterate(kind)
    }
    used: set[ResourceId] = set()
    todo = [id for id in needs if id not in ids]
    while todo:
        new = needs.get(todo.pop(), set()) - used
        used |= new
        todo += new
    return used


def _needed(live: LiveResource) -> Iterator[ResourceId]:
    """Yield the ids of what a resource is in, runs on or mounts."""
    above = live.id.parent
    while above:
        yield above
        above = above.parent
    properties = live.wire.get("properties", {})
    if cluster := properties.get("cluster"):
        yield ResourceId.parse(cluster["id"])
    volumes = properties.get("nodeSetup", properties).get("mountVolumes", {})
    for volume in volumes.get("fileServers", ()):
        yield ResourceId.parse(volume["fileServer"]["id"])
