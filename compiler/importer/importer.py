"""Imports Batch AI's files: recognise, prune, invert, write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from bai.compiler.compilation import NO_SUBSCRIPTION
from bai.compiler.emit.yaml_form import yaml_text
from bai.compiler.importer import inverse
from bai.compiler.importer.filling import fill_in
from bai.compiler.importer.notes import Notes, dotted
from bai.compiler.importer.prune import prune
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import BODIES
from bai.specs.document import Document
from bai.specs.findings import Finding, errors
from bai.specs.scalars import kind_of


@dataclass(frozen=True, slots=True)
class ImportNames:
    """Names that Batch AI's files leave to the command line."""

    experiment: str = "experiment"
    job: str = "job"
    cluster: str = "cluster"
    file_server: str = "fileserver"
    workspace: str | None = None
    resource_group: str | None = None
    location: str | None = None


@dataclass(frozen=True, slots=True)
class ImportResult:
    """A spec in text, and what it could not take over."""

    text: str
    findings: tuple[Finding, ...]


SECTIONS: Final = {Kind.FILE_SERVER: "fileServers", Kind.CLUSTER: "clusters", Kind.JOB: "jobs"}
INVERSE: Final[dict[Kind, Callable[[inverse.Wire, ResourceId], dict[str, Any]]]] = {
    Kind.FILE_SERVER: inverse.file_server,
    Kind.CLUSTER: inverse.cluster,
    Kind.JOB: inverse.job,
}


def recognise(document: Document) -> Kind | None:
    """Return which of Batch AI's files a document is, by `$schema` or by its keys."""
    data = document.data
    if not isinstance(data, dict) or not isinstance(data.get("properties"), dict):
        return None
    stem = str(data.get("$schema", "")).rsplit("/", 1)[-1]
    if stem in ("cluster.json", "nfs.json"):
        return Kind.CLUSTER if stem == "cluster.json" else Kind.FILE_SERVER
    keys = data["properties"].keys()
    if "dataDisks" in keys:
        return Kind.FILE_SERVER
    if "scaleSettings" in keys or ("vmSize" in keys and "nodeCount" not in keys):
        return Kind.CLUSTER
    if "nodeCount" in keys or stem:
        return Kind.JOB
    return None


def import_files(documents: Sequence[Document], names: ImportNames) -> ImportResult:
    """Return a compact spec that compiles to the given job, cluster and file server files.

    Args:
        documents: the parsed files, in any order.
        names: what the files do not say. A job's cluster id, where it has one, counts more.
    """
    notes = Notes()
    home = _home(documents, names)
    sections: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS.values()}
    for document in documents:
        kind = recognise(document)
        if kind is None:
            message = (
                f"this is no Batch AI job, cluster or file server file: {kind_of(document.data)}"
            )
            notes.error(document, (), "BAI209", message, "it needs `properties`")
            continue
        section = sections[SECTIONS[kind]]
        name = _unused(_default_name(kind, names), section)
        if (spec := _import(document, kind, home, notes)) is not None:
            section[name] = spec
    _join(sections, names)
    text = "" if errors(notes.findings) else _text(home, names, sections, notes)
    return ImportResult(text, tuple(notes.findings))


def _import(
    document: Document, kind: Kind, home: ResourceId, notes: Notes
) -> dict[str, Any] | None:
    wire = prune(BODIES[kind], document, notes)
    if errors(notes.findings):
        return None
    fill_in(wire.get("properties", {}))
    try:
        body = BODIES[kind].from_wire(wire)
        if kind is Kind.JOB:
            _ = body.properties.toolkit  # type: ignore[attr-defined]
    except ValidationError as error:
        for detail in error.errors(include_url=False, include_input=False):
            path = detail["loc"]
            notes.error(document, path, "BAI206", f"{dotted(path)}: {detail['msg'].lower()}")
        return None
    except ValueError as error:
        notes.error(document, ("properties",), "BAI701", str(error), "keep one *Settings")
        return None
    properties = wire["properties"]
    if kind is Kind.CLUSTER and not any(properties["scaleSettings"].values()):
        place = ("properties", "scaleSettings")
        notes.error(
            document, place, "BAI305", "the cluster has no scale", "set manual or autoScale"
        )
        return None
    spec = INVERSE[kind](properties, home)
    if kind is not Kind.JOB and "user" not in spec and "userAccountSettings" in str(properties):
        message = "the user account has no key and no password, and is left out"
        notes.warn(document, ("properties",), "BAI207", message, "add one under user")
    return spec


def _home(documents: Sequence[Document], names: ImportNames) -> ResourceId:
    """Return the workspace of the spec: that of the first job's cluster, or the given names."""
    for document in documents:
        try:
            parsed = ResourceId.parse(document.data["properties"]["cluster"]["id"])
        except (KeyError, TypeError, ValueError):
            continue
        return parsed.sibling(Kind.WORKSPACE, parsed.workspace)
    workspace = names.workspace or "unset"
    group = names.resource_group or "unset"
    return ResourceId(NO_SUBSCRIPTION, group, workspace, Kind.WORKSPACE, workspace)


def _default_name(kind: Kind, names: ImportNames) -> str:
    return {
        Kind.JOB: names.job,
        Kind.CLUSTER: names.cluster,
        Kind.FILE_SERVER: names.file_server,
    }[kind]


def _unused(name: str, section: dict[str, Any]) -> str:
    number = 2
    unused = name
    while unused in section:
        unused, number = f"{name}-{number}", number + 1
    return unused


def _join(sections: dict[str, dict[str, Any]], names: ImportNames) -> None:
    """Give the imported cluster the name that the jobs know it by, and jobs without one theirs."""
    clusters, jobs = sections["clusters"], sections["jobs"]
    named = [job["cluster"] for job in jobs.values() if "cluster" in job]
    if len(clusters) == 1 and len(set(named)) == 1 and "/" not in named[0]:
        sections["clusters"] = {named[0]: clusters.popitem()[1]}
    if len(sections["clusters"]) != 1:
        for job in jobs.values():
            job.setdefault("cluster", names.cluster)


def _text(
    home: ResourceId, names: ImportNames, sections: dict[str, dict[str, Any]], notes: Notes
) -> str:
    metadata: dict[str, Any] = {"name": names.experiment}
    if home.workspace != "unset":
        metadata["workspace"] = home.workspace
    if home.resource_group != "unset":
        metadata["resourceGroup"] = home.resource_group
    if home.subscription != NO_SUBSCRIPTION:
        metadata["subscription"] = home.subscription
    if names.location:
        metadata["location"] = names.location
    spec = {section: entries for section, entries in sections.items() if entries}
    document = {"apiVersion": "bai/v1", "kind": "Experiment", "metadata": metadata, "spec": spec}
    lines = [f"# - {_one_line(line)}\n" for line in notes.comment()]
    comment = "".join(["# Not taken over as it was:\n", *lines]) if lines else ""
    return comment + yaml_text(document)


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)
