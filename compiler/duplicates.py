"""BAI410: no resource is declared twice in different forms.

Specs of one file, or of several that are applied together, may share a cluster; they share it only
if they agree on what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bai.compiler.compilation import Compilation
from bai.compiler.resources.resource import Resource
from bai.specs.codes import make_finding
from bai.specs.findings import Finding


def findings_of(compilations: Sequence[Compilation]) -> Iterator[Finding]:
    """Iterate over the findings of compilations, with those about pairs of them."""
    for compilation in compilations:
        yield from compilation.findings
    yield from duplicates(each for one in compilations for each in one.resources)


def duplicates(resources: Iterable[Resource]) -> tuple[Finding, ...]:
    """Return a finding for every resource that was already declared in another form or case."""
    first: dict[str, Resource] = {}
    findings = []
    for resource in resources:
        # To the service, ids are the same in any case.
        known = first.setdefault(str(resource.id).lower(), resource)
        if known.wire == resource.wire and known.id == resource.id:
            continue
        name = f"{resource.id.kind.singular} {resource.id.name}"
        place = known.span()
        where = f" at {place}" if place else ""
        message = f"the {name} is declared once more, and not as the first time{where}"
        if known.id.name != resource.id.name:
            message = f"the {name} is {known.id.name}{where}: names are the same in any case"
        hint = "give one of them another name, or write both alike"
        findings.append(make_finding("BAI410", message, resource.span(), hint))
    return tuple(findings)
