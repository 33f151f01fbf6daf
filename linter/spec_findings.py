"""Specs as rules see them, and the findings of the rules in specs that belong together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bai.compiler.compilation import Compilation
from bai.compiler.resources.resource import Resource
from bai.linter.context import RuleContext
from bai.linter.environment import NOTHING, LintEnvironment
from bai.linter.resource_view import ResourceView
from bai.linter.rules.registry import violations
from bai.linter.rules.report import report
from bai.linter.sureness import judged
from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Span
from bai.specs.load import LoadedSpec


@dataclass(frozen=True, slots=True)
class _SpecPlaces:
    """The places in a spec that a resource's values came from."""

    resource: Resource

    def span(self, path: Path) -> Span | None:
        return self.resource.span(*path)

    def key_span(self, path: Path) -> Span | None:
        return self.resource.span(*path)


def views_of(resources: Sequence[Resource], document: Document) -> list[ResourceView]:
    """Return resources as rules see them.

    Args:
        resources: the resources of one spec.
        document: the document that they were compiled from.
    """
    return [
        ResourceView(
            each.id.kind,
            each.wire,
            each.id,
            _SpecPlaces(each),
            document.text,
            document,
            each.lines,
            each.substitutes,
            each.code,
        )
        for each in resources
    ]


class SpecFinding(NamedTuple):
    """A finding of a rule, with the spec and the resource that it is about."""

    number: int
    """The number of its spec, from 0."""
    resource: ResourceView
    finding: Finding


def spec_findings(
    specs: Sequence[LoadedSpec],
    compilations: Sequence[Compilation],
    codes: Collection[str] | None = None,
    environment: LintEnvironment = NOTHING,
) -> Iterator[SpecFinding]:
    """Iterate over what the rules find, suppressed or not.

    Rules see all of the specs at once, since a job may run on a cluster of another spec.

    Args:
        specs: the specs.
        compilations: the compilation of each.
        codes: the codes of the rules to run; None for all.
        environment: external inputs of the rules. Relative paths start from the folder of the
            specs, if that is the same for all.
    """
    views: list[ResourceView] = []
    numbers = {}
    for number, (spec, compilation) in enumerate(zip(specs, compilations, strict=True)):
        for view in views_of(compilation.resources, spec.document):
            views.append(view)
            numbers[id(view)] = number
    folders = {spec.directory for spec in specs}
    directory = folders.pop() if environment.files and len(folders) == 1 else None
    is_whole = all(spec.is_valid for spec in specs)
    for rule, view, violation in violations(RuleContext(views, environment, directory), codes):
        is_seen = is_whole or not rule.needs_all
        if is_seen and (finding := judged(report(rule.code, view, violation), view)):
            yield SpecFinding(numbers[id(view)], view, finding)
