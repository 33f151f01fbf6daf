"""Check that an imported spec says what the files say: load it, compile it and compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, Final, Protocol

from bai.compiler.compilation import Compilation, Defaults
from bai.compiler.compile import compile_spec
from bai.compiler.importer.notes import Notes, dotted
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Severity, errors
from bai.specs.load import LoadedSpec, load_document

_EXPANDED: Final = "bai itself expands ${mounts.X}, ${inputs.X} and ${outputs.X}"


@dataclass(frozen=True, slots=True)
class Imported:
    """A file and its part of the spec."""

    kind: Kind
    document: Document
    wire: dict[str, Any]
    """The wire form that the spec must compile to."""
    spec: dict[str, Any]
    """Its entry in the spec."""


class Review(Protocol):
    """The part of the linter that an import uses; the compiler does not import the linter."""

    def spec(self, spec: LoadedSpec, compilation: Compilation) -> Compilation:
        """Return a compilation with the rules' findings added to its own."""

    def files(self, files: Sequence[Imported]) -> Iterable[Finding]:
        """Return the rules' findings about the files themselves."""


def check(
    spec: Document,
    imported: Sequence[Imported],
    jobs: Mapping[str, Imported],
    defaults: Defaults,
    found: list[Finding],
    review: Review,
) -> tuple[Finding, ...]:
    """Note where a spec does not load, or does not compile to what the files say.

    Args:
        spec: the spec, with the places of the files that it was made of.
        imported: the files.
        jobs: those of jobs, by the names of the jobs that the spec compiles to.
        defaults: values for what the spec leaves out.
        found: the findings so far; gets the errors.
        review: checks the compiled resources and the files.

    Returns:
        The other findings of the spec, which are also about the files: with the place and the words
        of `bai lint` for the files, if it reports them there, too.
    """
    loaded = load_document(spec, "/")
    if loaded.findings:
        found.extend(loaded.findings)
        return ()
    [loaded_spec] = loaded.specs
    compilation = review.spec(loaded_spec, compile_spec(loaded_spec, defaults))
    wrong = {finding.span: finding for finding in reversed(errors(compilation.findings))}
    for each, resource in _pairs(imported, jobs, compilation):
        for path, text in _changed(each, resource):
            if known := wrong.pop(each.document.span(path), None):
                found.append(known)
                continue
            message = f"{dotted(path)} would not stay as it is"
            hint = _EXPANDED if "${" in str(text) else "a spec has no way to say this"
            Notes(each.document, found).at_value(path, "BAI212", message, hint)
    further = [f for f in errors(compilation.findings) if not _is_noted(f, found)]
    return _in_files(further, list(review.files(imported)) if further else [])


def is_exact(spec: Document, jobs: Mapping[str, Imported], defaults: Defaults) -> bool:
    """Return whether a spec compiles to the files of its jobs, given by the jobs' names."""
    loaded = load_document(spec, "/")
    if loaded.findings:
        return False
    compilation = compile_spec(loaded.specs[0], defaults)
    made = {resource.id.name: resource for resource in compilation.of_kind(Kind.JOB)}
    return made.keys() == jobs.keys() and not any(
        any(_changed(each, made[name])) for name, each in jobs.items()
    )


def _pairs(
    imported: Sequence[Imported], jobs: Mapping[str, Imported], compilation: Compilation
) -> Iterator[tuple[Imported, Resource]]:
    """Iterate over the files with the resources that they have become."""
    for kind in (Kind.FILE_SERVER, Kind.CLUSTER):
        files = [each for each in imported if each.kind is kind]
        yield from zip(files, compilation.of_kind(kind), strict=True)
    for resource in compilation.of_kind(Kind.JOB):
        yield jobs[resource.id.name], resource


def _changed(file: Imported, resource: Resource) -> Iterator[tuple[Path, Any]]:
    """Iterate over (path, expected value) of what a resource has not as its file has it."""
    actual = resource.to_wire()["properties"]
    if "cluster" not in file.wire["properties"]:
        actual.pop("cluster", None)
    return _differences(file.wire["properties"], actual, ("properties",))


def _is_noted(finding: Finding, found: Iterable[Finding]) -> bool:
    """Return whether there is a note at the place of a finding, or of its code within."""
    span = finding.span
    if span is None:
        return False
    return any(
        note.span == span or (note.code == finding.code and note.span and span.covers(note.span))
        for note in found
    )


def _in_files(found: Sequence[Finding], of_files: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings of a spec as warnings about the files that it was made of."""
    placed: dict[Finding, None] = {}
    for finding in found:
        same = [
            other
            for other in of_files
            if other.code == finding.code
            and finding.span
            and other.span
            and finding.span.covers(other.span)
        ]
        placed |= dict.fromkeys(f.replaced(severity=Severity.WARNING) for f in same or [finding])
    return tuple(placed)


def _differences(wanted: Any, actual: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Iterate over (path, expected value) of the differences; empty values count as missing."""
    if isinstance(wanted, dict) and isinstance(actual, (dict, NoneType)):
        actual = actual or {}
        for key in {**wanted, **actual}:
            yield from _differences(wanted.get(key), actual.get(key), (*path, key))
    elif isinstance(wanted, list) and isinstance(actual, list) and len(wanted) == len(actual):
        for index, pair in enumerate(zip(wanted, actual, strict=True)):
            yield from _differences(*pair, (*path, index))
    elif (wanted or None) != (actual or None):
        yield path, wanted
