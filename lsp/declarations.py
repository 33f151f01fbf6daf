"""What a file declares (mounts, inputs, outputs, clusters, file servers), and references to it.

References stand inside of strings: `${mounts.data}`, `$AZ_BATCHAI_INPUT_X` and the like. Symbols
are the outline that editors show: experiments with their jobs, clusters and file servers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bai.compiler.batchai.variables import CLUSTER_ROOT, GROUPS, JOB_ROOT
from bai.compiler.resources.ids import Kind
from bai.lsp.language import Language
from bai.lsp.outline import Outline, Scalar
from bai.lsp.text import Position, Range
from bai.specs.findings import Path

Declarations = dict[str, Range]
"""Name -> where it is declared."""

_LISTS = {"inputs": "inputDirectories", "outputs": "outputDirectories"}


def declared(outline: Outline, language: Language, path: Path, group: str) -> Declarations:
    """Return what a reference at a path may name.

    Args:
        outline: of the document.
        language: of the document.
        path: where the reference stands.
        group: `mounts`, `inputs` or `outputs`.
    """
    if language.kind is None:
        return _of_spec(outline, path, group)
    if group == "mounts":
        setup = ("nodeSetup",) if language.kind is Kind.CLUSTER else ()
        return _texts(outline, ("properties", *setup, "mountVolumes"), "relativeMountPath")
    return _texts(outline, ("properties", _LISTS[group]), "id")


def own_mounts(outline: Outline, path: Path) -> Declarations:
    """Return the mounts of the job or cluster of a spec that a path is in."""
    return _keys(outline, (*path[:3], "mounts"))


def cluster_mounts(outline: Outline, path: Path) -> Declarations:
    """Return the mounts of the cluster on which the job of a spec runs that a path is in."""
    cluster = cluster_of(outline, path)
    return _keys(outline, ("spec", "clusters", cluster, "mounts")) if cluster else {}


def cluster_of(outline: Outline, path: Path) -> str | None:
    """Return the name of the cluster that the job at a path runs on, if the spec says it."""
    clusters = outline.keys_of(("spec", "clusters"))
    written = outline.text_at((*path[:3], "cluster"))
    if written is not None:
        return written if written in clusters else None
    return next(iter(clusters)) if len(clusters) == 1 else None


def _of_spec(outline: Outline, path: Path, group: str) -> Declarations:
    if len(path) < 3 or path[:2] not in (("spec", "jobs"), ("spec", "clusters")):
        return {}
    if group != "mounts":
        return _keys(outline, (*path[:3], group))
    # A job's own mount hides one of its cluster.
    return cluster_mounts(outline, path) | own_mounts(outline, path)


def _keys(outline: Outline, path: Path) -> Declarations:
    return {name: key.range for name, key in outline.keys_of(path).items()}


def _texts(outline: Outline, path: Path, key: str) -> Declarations:
    found = (each for each in outline.below(path) if each.path[-1] == key)
    return {scalar.text: scalar.range for scalar in found}


_GROUPS: Final = {"jobs": "job", "clusters": "cluster", "fileServers": "file server"}


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something with a name."""

    name: str
    kind: str
    range: Range


def symbols(outline: Outline) -> Iterator[Symbol]:
    """Iterate over what a spec declares."""
    for key in outline.keys:
        match key.path:
            case ("spec", str(group), str(name)) if group in _GROUPS:
                yield Symbol(name, _GROUPS[group], key.range)


_REFERENCE = re.compile(
    r"\$\{(?P<group>mounts|inputs|outputs)\.(?P<name>[^{}\s]*)\}"
    r"|\$\{?(?P<variable>AZ_BATCH\w*)\}?(?:/(?P<below>[^\s/'\"$;|&]+))?"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference."""

    group: str
    """`mounts`, `inputs` or `outputs`; `variable` for what is not declared in a file."""
    name: str
    """What is referred to: the name of a mount, an id, or the variable itself."""
    range: Range
    variable: str | None
    """The variable it is written with; None for a short reference."""


def reference_at(scalar: Scalar, position: Position) -> Reference | None:
    """Return the reference in a scalar that a cursor touches.

    Args:
        scalar: a piece of text on one line.
        position: on the same line.
    """
    start = scalar.range.start
    for found in _REFERENCE.finditer(scalar.text):
        where = Range.on_line(start.line, start.column + found.start(), start.column + found.end())
        if position not in where:
            continue
        if found["group"]:
            return Reference(found["group"], found["name"], where, None)
        variable, below = found["variable"], found["below"]
        in_variable = position.column <= start.column + found.end("variable")
        if variable in (CLUSTER_ROOT, JOB_ROOT) and below and not in_variable:
            return Reference("mounts", below, where, variable)
        for group, prefix in GROUPS.items():
            if variable.startswith(prefix):
                return Reference(group, variable.removeprefix(prefix), where, variable)
        return Reference("variable", variable, where, variable)
    return None
