"""A resource in the words of a spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bai.compiler.importer.inverse import INVERSE
from bai.compiler.importer.origins import plain
from bai.compiler.importer.short_references import shorten
from bai.compiler.resources.ids import Kind, ResourceId


def spec_form(id: ResourceId, wire: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a spec says below the name of a resource to declare it.

    Workspaces and experiments have no such place; what there is of them is returned.

    Args:
        id: the resource; names in the result are relative to its workspace.
        wire: its wire form, as the compiler makes it.
    """
    if id.kind not in INVERSE:
        return {key: value for key, value in wire.items() if key != "properties"}
    home = id.sibling(Kind.WORKSPACE, id.workspace)
    sections: dict[str, dict[str, Any]] = {kind.value: {} for kind in INVERSE}
    sections[id.kind.value][id.name] = INVERSE[id.kind](wire["properties"], home)
    shorten(sections)
    form: dict[str, Any] = plain(sections[id.kind.value][id.name])
    return form
