"""What a file declares (mounts, parameters, jobs and so on), and references to it.

References stand inside of strings: `${mounts.data}`, `$AZ_BATCHAI_INPUT_X` and the like. Symbols
are the outline that editors show: experiments with their jobs, clusters, file servers and
parameters.
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
from bai.specs.reference_groups import GROUPS as REFERENCE_GROUPS
from bai.specs.reference_groups import one_of

_NAME: Final = ("metadata", "name")
_SECTIONS: Final = {"Cluster": "clusters", "FileServer": "fileServers"}
"""Kind of a document -> section of a spec for what it describes."""
_GROUPS: Final = {
    "parameters": "parameter",
    "jobs": "job",
    "clusters": "cluster",
    "fileServers": "file server",
}

Declarations = dict[str, Range]
"""Name -> where it is declared."""

PARAMETERS: Final[Path] = ("spec", "parameters")
"""The place of the parameters of a spec."""

_LISTS = {"inputs": "inputDirectories", "outputs": "outputDirectories"}


def declared(outline: Outline, language: Language, path: Path, group: str) -> Declarations:
    """Return what a reference at a path may name.

    Args:
        outline: of the document.
        language: of the document.
        path: where the reference stands.
        group: `mounts`, `inputs`, `outputs` or `parameters`; in specs also `job.mounts` or
            `cluster.mounts`.
    """
    if language.kind is None:
        return _of_spec(outline, path, group)
    if group == "mounts":
        setup = ("nodeSetup",) if language.kind is Kind.CLUSTER else ()
        return _texts(outline, ("properties", *setup, "mountVolumes"), "relativeMountPath")
    return _texts(outline, ("properties", _LISTS[group]), "id")


def own_mounts(outline: Outline, path: Path) -> Declarations:
    """Return the mounts of the job or cluster of a spec that a path is in."""
    return _keys(outline, (*owner(outline, path), "mounts"))


def cluster_mounts(outline: Outline, path: Path) -> Declarations:
    """Return the mounts of the cluster on which the job of a spec runs that a path is in."""
    found = cluster_of(outline, path)
    return _keys(found.outline, (*found.path, "mounts")) if found else {}


def owner(outline: Outline, path: Path) -> Path:
    """Return the path of the job or cluster of a spec that a path is in; empty if it is in none."""
    if machine_kind(outline) == "clusters":
        return path[:1] if path[:1] == ("spec",) else ()
    is_inside = len(path) >= 3 and path[:2] in (("spec", "jobs"), ("spec", "clusters"))
    return path[:3] if is_inside else ()


@dataclass(frozen=True, slots=True)
class Machine:
    """A cluster or file server that a document declares."""

    outline: Outline
    """The document."""
    path: Path
    """Of its keys."""
    name: Range
    """Where its name stands."""


def machine_kind(outline: Outline) -> str | None:
    """Return the section of a spec for what a document describes: `clusters`, `fileServers`."""
    return _SECTIONS.get(outline.text_at(("kind",)) or "")


def machines(outline: Outline, section: str) -> dict[str, Machine]:
    """Return the clusters or file servers that the documents of a file declare, by their names.

    Those of a document itself come first.
    """
    found: dict[str, Machine] = {}
    for each in (outline, *outline.file):
        for name, key in each.keys_of(("spec", section)).items():
            found.setdefault(name, Machine(each, ("spec", section, name), key.range))
        if machine_kind(each) == section:
            for scalar in each.below(_NAME):
                found.setdefault(scalar.text, Machine(each, ("spec",), scalar.range))
    return found


def cluster_of(outline: Outline, path: Path) -> Machine | None:
    """Return the cluster that the job at a path runs on, if the file says it."""
    written = outline.text_at((*path[:3], "cluster"))
    if written is not None:
        return machines(outline, "clusters").get(written)
    own = outline.keys_of(("spec", "clusters"))
    return machines(outline, "clusters")[next(iter(own))] if len(own) == 1 else None


def _of_spec(outline: Outline, path: Path, group: str) -> Declarations:
    if group == "parameters":
        is_own = path[:2] == PARAMETERS or path[:1] not in (("metadata",), ("spec",))
        return {} if is_own else _keys(outline, PARAMETERS)
    here = owner(outline, path)
    if not here:
        return {}
    if not group.endswith("mounts"):
        return _keys(outline, (*here, group))
    in_job, own = here[:2] == ("spec", "jobs"), own_mounts(outline, path)
    if group == "job.mounts":
        return own if in_job else {}
    inherited = cluster_mounts(outline, path) if in_job else own
    # A job's own mount hides one of its cluster.
    return inherited if group == "cluster.mounts" else inherited | own


def _keys(outline: Outline, path: Path) -> Declarations:
    return {name: key.range for name, key in outline.keys_of(path).items()}


def _texts(outline: Outline, path: Path, key: str) -> Declarations:
    found = (each for each in outline.below(path) if each.path[-1] == key)
    return {scalar.text: scalar.range for scalar in found}


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something with a name."""

    name: str
    kind: str
    range: Range


def symbols(outline: Outline) -> Iterator[Symbol]:
    """Iterate over what a spec declares."""
    kind = outline.text_at(("kind",))
    if section := machine_kind(outline):
        kind = _GROUPS[section]
    if section or kind == "Workspace":
        for scalar in outline.below(_NAME):
            yield Symbol(scalar.text, str(kind).lower(), scalar.range)
    for key in outline.keys:
        match key.path:
            case ("spec", str(group), str(name)) if group in _GROUPS:
                yield Symbol(name, _GROUPS[group], key.range)


_REFERENCE = re.compile(
    rf"\$\{{(?P<group>{one_of(REFERENCE_GROUPS)})\.(?P<name>[^{{}}\s]*)\}}"
    r"|\$\{?(?P<variable>AZ_BATCH\w*)\}?(?:/(?P<below>[^\s/'\"$;|&]+))?"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference."""

    group: str
    """`mounts`, `job.mounts`, `parameters` and so on; `variable` for what no file declares."""
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
