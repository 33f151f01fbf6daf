"""Imports Batch AI's files: recognise, prune, normalize, invert, shorten, check, write."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, Final

from bai.compiler.batchai.recognition import batchai_kind
from bai.compiler.compilation import NO_SUBSCRIPTION, Defaults
from bai.compiler.emit.long_texts import fold_long_texts
from bai.compiler.emit.yaml_form import yaml_text
from bai.compiler.importer.annotations import annotated, gaps
from bai.compiler.importer.check import Imported, Review, check, is_exact
from bai.compiler.importer.inverse import INVERSE
from bai.compiler.importer.names import ImportNames
from bai.compiler.importer.normalize import normalize
from bai.compiler.importer.notes import Notes
from bai.compiler.importer.origins import plain, spec_document
from bai.compiler.importer.own_variables import Jobs, fold_sweeps, member, note_code, own_places
from bai.compiler.importer.placeholders import fill_in
from bai.compiler.importer.prune import check_shape, prune
from bai.compiler.importer.short_references import shorten
from bai.compiler.passes.scope import UNSET
from bai.compiler.resources.bodies import BODIES
from bai.compiler.resources.ids import Kind, ResourceId
from bai.specs.document import Document
from bai.specs.findings import Finding, errors, in_order
from bai.specs.source.plain_scalar import kind_of


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The text of a spec, and findings about what could not be imported."""

    text: str
    findings: tuple[Finding, ...]


UNNAMED_CLUSTER: Final = """\
# The files do not say which cluster the job runs on: `cluster: cluster` is a placeholder. Write the
# name or the ARM id of yours, or import again with --cluster NAME or with the cluster's own file.
"""


def import_files(
    documents: Sequence[Document], names: ImportNames, review: Review, folder: str = ""
) -> ImportResult:
    """Return a compact spec that compiles to the given job, cluster and file server files.

    Args:
        documents: the parsed files, in any order.
        names: names that the files do not have. The cluster id of a job takes precedence.
        review: checks the resources that the spec compiles to.
        folder: absolute path of the folder that the documents' paths start from.
    """
    if wrong := tuple(names.findings()):
        return ImportResult("", wrong)
    home, files = _home(documents, names), [document.file for document in documents]
    notes = [Notes(document) for document in documents]
    imported = [each for about in notes if (each := _import(home, about))]
    found = [finding for about in notes for finding in about.findings]
    if errors(found) or not imported:
        return ImportResult("", in_order(found, files))
    sections, named, remark = _sections(imported, names, folder)
    shorten(sections)
    # Of several files, those of jobs describe the experiment best.
    main = next((each for each in imported if each.kind is Kind.JOB), imported[0])
    experiment = names.of(Kind.EXPERIMENT, _path(main, folder))
    defaults = Defaults(home.subscription, home.resource_group, home.workspace, UNSET)

    def spec_of(jobs: Jobs) -> dict[str, Any]:
        parts = {"parameters": jobs.parameters, **sections, Kind.JOB.value: jobs.section}
        return _spec(home, names, experiment, parts)

    def is_right(jobs: Jobs) -> bool:
        document = spec_document(spec_of(jobs), imported[0].document)
        return is_exact(document, jobs.compiled, defaults)

    jobs = fold_sweeps(named, is_right, found)
    note_code(named.values(), found)
    spec = spec_of(jobs)
    comment = _comment(found, remark + jobs.remark)
    document = spec_document(spec, imported[0].document)
    further = check(document, imported, jobs.compiled, defaults, found, review)
    places = own_places(named.values())
    further = tuple(each for each in further if each.span not in places)
    text = ""
    if not errors(found):
        body = annotated(yaml_text(fold_long_texts(plain(spec))), gaps(spec), defaults, review)
        text = comment + body
    return ImportResult(text, in_order((*found, *further), files))


def _import(home: ResourceId, notes: Notes) -> Imported | None:
    """Return a file as a part of a spec, or None after an error."""
    data = notes.document.data
    kind = batchai_kind(data)
    if kind is None:
        if isinstance(data, dict) and "apiVersion" in data:
            message = "this is a spec, and no file of Batch AI's"
            notes.at_key((), "BAI209", message, "`bai compile` turns it into such files")
            return None
        message = f"this is no Batch AI job, cluster or file server file: {kind_of(data)}"
        notes.at_key((), "BAI209", message, "it needs `properties`")
        return None
    wire = prune(BODIES[kind], notes)
    fill_in(wire.get("properties", {}))
    if errors(notes.findings) or not check_shape(BODIES[kind], wire, notes):
        return None
    normalize(kind, wire, home, notes)
    if errors(notes.findings):
        return None
    return Imported(kind, notes.document, wire, INVERSE[kind](wire["properties"], home))


def _home(documents: Sequence[Document], names: ImportNames) -> ResourceId:
    """Return the workspace of the spec: that of the first job's cluster, or the given names."""
    for document in documents:
        try:
            parsed = ResourceId.parse(document.data["properties"]["cluster"]["id"])
        except (KeyError, TypeError, ValueError):
            continue
        return parsed.sibling(Kind.WORKSPACE, parsed.workspace)
    workspace, group = names.workspace or UNSET, names.resource_group or UNSET
    return ResourceId(NO_SUBSCRIPTION, group, workspace, Kind.WORKSPACE, workspace)


def _path(imported: Imported, folder: str) -> str:
    """Return the absolute path of the file that something was imported from."""
    return posixpath.normpath(posixpath.join(folder, imported.document.file))


def _unused(name: str, section: dict[str, Any]) -> str:
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(each for each in names if each not in section)


def _sections(
    imported: Sequence[Imported], names: ImportNames, folder: str
) -> tuple[dict[str, dict[str, Any]], dict[str, Imported], str]:
    """Return the entries of the spec by section and name, the jobs, and a remark for people."""
    sections: dict[str, dict[str, Any]] = {kind.value: {} for kind in INVERSE}
    named: dict[str, Imported] = {}
    for each in imported:
        section = sections[each.kind]
        its = member(each) if each.kind is Kind.JOB else None
        name = _unused(its.name if its else names.of(each.kind, _path(each, folder)), section)
        section[name] = each.spec
        if each.kind is Kind.JOB:
            named[name] = each
    clusters, jobs = sections["clusters"], sections["jobs"]
    # The jobs know their cluster by its name.
    wanted = {job["cluster"] for job in jobs.values() if "cluster" in job}
    if len(clusters) == 1 and len(wanted) == 1 and "/" not in (name := wanted.pop()):
        sections["clusters"] = {name: clusters.popitem()[1]}
    homeless = [job for job in jobs.values() if "cluster" not in job]
    if len(sections["clusters"]) == 1 or not homeless:
        return sections, named, ""
    for job in homeless:
        rest = job.copy()
        job.clear()
        job.update(cluster=names.cluster or "cluster", **rest)
    return sections, named, "" if names.cluster else UNNAMED_CLUSTER


def _spec(
    home: ResourceId, names: ImportNames, experiment: str, sections: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    metadata = {
        "name": experiment,
        "workspace": home.workspace,
        "resourceGroup": home.resource_group,
        "subscription": home.subscription,
        "location": names.location or UNSET,
    }
    metadata = {k: v for k, v in metadata.items() if v not in (UNSET, NO_SUBSCRIPTION)}
    spec = {section: entries for section, entries in sections.items() if entries}
    return {"apiVersion": "bai/v1", "kind": "Experiment", "metadata": metadata, "spec": spec}


def _comment(found: Iterable[Finding], remark: str) -> str:
    """Return the warnings as a comment, and the remark behind them."""
    texts = (f"{each.message}{f' ({each.hint})' if each.hint else ''}" for each in found)
    lines = [f"# - {_one_line(text)}\n" for text in texts]
    return "".join(["# Not taken over as it was:\n" if lines else "", *lines, remark])


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)
