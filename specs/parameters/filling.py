"""The values of a spec's parameters put into its document, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from bai.specs.codes import make_finding
from bai.specs.document import Document, error_at
from bai.specs.findings import Finding, Fix, Path, Span
from bai.specs.models.base import SpecModel
from bai.specs.models.experiment import Experiment
from bai.specs.models.kinds import root_of
from bai.specs.models.parameters import Parameter
from bai.specs.names import evident, nearest, suggestion
from bai.specs.parameters.records import Given
from bai.specs.parameters.references import (
    DECLARATIONS,
    GROUP,
    Reference,
    references,
    texts_below,
    written,
)
from bai.specs.parameters.substitution import Substituted, substitute
from bai.specs.parameters.values import Parameters, Value
from bai.specs.secret_places import is_secret_place
from bai.specs.source.places import inner_span, text_at


@dataclass(frozen=True, slots=True)
class Filled:
    """A spec with the values of its parameters in it."""

    document: Document
    findings: tuple[Finding, ...] = ()
    used: frozenset[str] = frozenset()
    """The parameters that the spec refers to."""

    def explained(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Iterate over findings that can be judged, with the origins of the values at their places.

        Args:
            findings: findings about the document.
        """
        for finding in findings:
            if self.document.is_sure(finding.span):
                yield self.document.explained(finding)


def fill(
    document: Document,
    parameters: Parameters,
    of_jobs: Mapping[str, Mapping[str, Value]] = MappingProxyType({}),
    unclear: Set[str] = frozenset(),
) -> Filled:
    """Put the values of its parameters into a spec.

    Args:
        document: the spec, valid or not.
        parameters: its parameters.
        of_jobs: name of a job -> values that only this job has.
        unclear: parameters that may have a value, which can't be read.
    """
    known, values, given = parameters
    data = dict(document.data)
    root = root_of(data)
    found = [
        _put_into(data, part, values, of_jobs, root)
        for part in ("metadata", "spec")
        if part in data
    ]
    every = Substituted(data)
    for each in found:
        every.add(each)
    if not (known or every.wrong):
        return Filled(document)
    findings = [
        *_wrong_references(every, document, known),
        *_wrong_values(document, known, given.by_name),
    ]
    if given.are_all:
        needed = {name for names in every.unsure.values() for name in names} - unclear
        findings += _missing_values(document, known, given.by_name, needed)
    filled = replace(
        document,
        data=data,
        substitutes=every.substitutes,
        unsure=frozenset(document.span(path) for path in every.unsure),
        has_sure_counts=every.has_sure_counts,
        origins=_origins(document, every, values, of_jobs),
    )
    return Filled(filled, tuple(findings), frozenset(every.used))


def _put_into(
    data: dict[str, object],
    part: str,
    values: Mapping[str, Value],
    of_jobs: Mapping[str, Mapping[str, Value]],
    root: type[SpecModel],
) -> Substituted:
    """Put values into a part of a document, but not into the declarations of parameters."""
    inner = data[part]
    kept: dict[str, object] = {}
    if part == "spec" and isinstance(inner, dict):
        if GROUP in inner:
            kept[GROUP] = inner[GROUP]
        if of_jobs:
            kept["jobs"] = inner["jobs"]
        inner = {key: value for key, value in inner.items() if key not in kept}
    found = substitute(inner, (part,), values, root)
    if "jobs" in kept:
        kept["jobs"] = _put_into_jobs(kept["jobs"], values, of_jobs, root, found)
    data[part] = {**kept, **found.data} if kept else found.data
    return found


def _put_into_jobs(
    jobs: Any,
    values: Mapping[str, Value],
    of_jobs: Mapping[str, Mapping[str, Value]],
    root: type[SpecModel],
    every: Substituted,
) -> dict[str, Any]:
    """Return jobs with values in them, of which some have their own; adds to `every`."""
    filled = {}
    for name, job in jobs.items():
        own = {**values, **of_jobs.get(name, {})}
        found = substitute(job, ("spec", "jobs", name), own, root)
        every.add(found)
        filled[name] = found.data
    return filled


def _wrong_references(
    found: Substituted, document: Document, parameters: Mapping[str, Parameter | None]
) -> Iterator[Finding]:
    """Yield a finding for each reference that names no parameter."""
    for path, text, reference in found.wrong:
        if reference.is_right or reference.name in parameters:
            yield _wrong_reference(path, text, reference, document, parameters)
    own = document.data.get("spec")
    own = own.get(GROUP) if isinstance(own, dict) else None
    for path, text in texts_below(own, DECLARATIONS):
        for reference in references(text):
            if path[-1] != "description":
                span = _span(path, text, reference, document)
                message = f"{text[reference.start : reference.end]} can't stand in a parameter"
                hint = "write the value itself: only what stands elsewhere refers to parameters"
                yield make_finding("BAI401", message, span, hint)


def _wrong_reference(
    path: Path,
    text: str,
    reference: Reference,
    document: Document,
    parameters: Mapping[str, Parameter | None],
) -> Finding:
    span, here = _span(path, text, reference, document), text[reference.start : reference.end]
    name: str | None = reference.name
    if reference.name not in parameters:
        message = f"{here} names none of the parameters"
        name = evident(reference.name, parameters)
        hint = "declare it under spec.parameters"
        if root_of(document.data) is not Experiment:
            hint = "write the value itself: only experiments have parameters"
        elif parameters:
            hint = suggestion(reference.name, parameters)
    else:
        message, hint = f"{here} is no reference", f"write {written(reference.name)}"
    fix = None
    if name and text_at(document.text, span) == here:
        fix = Fix.replace(span, written(name))
    return make_finding("BAI401" if reference.is_right else "BAI318", message, span, hint, fix)


def _span(path: Path, text: str, reference: Reference, document: Document) -> Span:
    return inner_span(document.span(path), document.text, text, reference.start, reference.end)


def _wrong_values(
    document: Document, parameters: Mapping[str, Parameter | None], given: Mapping[str, Given]
) -> Iterator[Finding]:
    """Yield a finding for each given value that its parameter can't have."""
    for name, value in given.items():
        parameter = parameters.get(name)
        if parameter is None or not (wrong := parameter.wrong(value.scalar)):
            continue
        path = (*DECLARATIONS, name)
        message = wrong.message
        if is_secret_place(path):
            message = "it can't have this value"
        if value.span:
            yield make_finding("BAI326", f"{name}: {message}", value.span, wrong.hint)
        else:
            about = f"{name}, {value.origin}: {message}"
            yield error_at("BAI326", about, document, path, wrong.hint, key=True)


def _missing_values(
    document: Document,
    parameters: Mapping[str, Parameter | None],
    given: Mapping[str, Given],
    needed: Set[str],
) -> Iterator[Finding]:
    """Yield a finding for each parameter without a value that something refers to."""
    for name, parameter in parameters.items():
        if name in needed and name not in given and parameter and parameter.default is None:
            hint = f"give it one with -p {name}=VALUE, or write a default"
            message = f"the parameter {name} has no value"
            yield error_at("BAI419", message, document, (*DECLARATIONS, name), hint, key=True)


def _origins(
    document: Document,
    found: Substituted,
    values: Mapping[str, Value],
    of_jobs: Mapping[str, Mapping[str, Value]],
) -> dict[Span, dict[Span, str]]:
    """Return what `Document.origins` holds; nothing about secrets.

    Members of a sweep have the same places, and other values: of these nothing is said.
    """
    origins: dict[Span, dict[Span, str]] = {}
    several: set[Span] = set()
    for path in found.substitutes:
        scalar, text = document.span(path), document.value(path)
        known = values
        if of_jobs and path[:2] == ("spec", "jobs"):
            known = {**values, **of_jobs.get(str(path[2]), {})}
        named = [each for each in references(text) if each.name in known]
        if is_secret_place(path) or any(is_secret_place((each.name,)) for each in named):
            continue
        words = [_origin(each.name, known[each.name]) for each in named]
        if scalar not in origins:
            places = [_span(path, text, each, document) for each in named]
            origins[scalar] = dict(zip(places, words, strict=True))
        elif [*origins[scalar].values()] != words:
            several.add(scalar)
    return {scalar: words for scalar, words in origins.items() if scalar not in several}


def _origin(name: str, value: Value) -> str:
    """Return words for the value of a parameter, in one line."""
    return f"{name} is {' '.join(value.scalar.split()) or 'empty'}, {value.origin}"


def unknown_names(given: Mapping[str, Given], known: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding for each given value of a parameter that no spec declares.

    Args:
        given: the given values by the parameters' names.
        known: the names of the parameters of all specs.
    """
    names = list(dict.fromkeys(known))
    for name, value in given.items():
        if name not in names:
            message = f"no spec has a parameter {name}"
            if not value.span:
                message = f"{message}, which was {value.origin}"
            near = nearest(name, names)
            listed = (
                f"there are {', '.join(names)}" if names else "declare it under spec.parameters"
            )
            hint = f"did you mean {near}?" if near else listed
            yield make_finding("BAI420", message, value.span, hint)
