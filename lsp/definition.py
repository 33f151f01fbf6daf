"""Go to definition: from a reference to what declares it."""

from __future__ import annotations

import re

from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT
from bai.compiler.resources.ids import Kind
from bai.lsp.declarations import (
    Reference,
    cluster_mounts,
    declared,
    machines,
    own_mounts,
    reference_at,
)
from bai.lsp.language import Language
from bai.lsp.outline import Outline
from bai.lsp.text import Position, Range
from bai.specs.findings import Path

_FILE_SERVER = re.compile(r"fileServer:(?://)?([^/?]+)")


def definition(outline: Outline, language: Language, position: Position) -> Range | None:
    """Return the declaration of the reference under a cursor; None if there is no reference."""
    scalar = outline.scalar_at(position)
    if scalar is None:
        return None
    if reference := reference_at(scalar, position):
        return _declaration(outline, language, scalar.path, reference)
    if language.kind is None:
        return _machine(outline, scalar.path, scalar.text)
    return None


def _declaration(
    outline: Outline, language: Language, path: Path, reference: Reference
) -> Range | None:
    if reference.group == "variable":
        return None
    if reference.group == "mounts" and reference.variable and language.kind is None:
        if reference.variable == JOB_ROOT:
            return own_mounts(outline, path).get(reference.name)
        if path[:2] == ("spec", "jobs"):
            return cluster_mounts(outline, path).get(reference.name)
    elif reference.variable == CLUSTER_ROOT and language.kind is not Kind.CLUSTER:
        # A job's file does not say what its cluster mounts.
        return None
    return declared(outline, language, path, reference.group).get(reference.name)


def _machine(outline: Outline, path: Path, text: str) -> Range | None:
    """Return the range of the cluster or file server that a value of a spec names."""
    match path:
        case ("spec", "jobs", _, "cluster"):
            group, name = "clusters", text
        case (*_, "mounts", _, "fileServer", "name"):
            group, name = "fileServers", text
        case (*_, "mounts", _) if found := _FILE_SERVER.match(text):
            group, name = "fileServers", found[1]
        case _:
            return None
    machine = machines(outline, group).get(name)
    return machine.name if machine else None
