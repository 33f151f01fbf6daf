"""The findings of the rules in specs that belong together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from bai.compiler.compilation import Compilation
from bai.linter.context import RuleContext
from bai.linter.environment import NOTHING, LintEnvironment
from bai.linter.resource_view import ResourceView
from bai.linter.rules.registry import violations
from bai.linter.rules.report import report
from bai.linter.views import views_of
from bai.specs.findings import Finding
from bai.specs.load import LoadedSpec


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
    for rule, view, violation in violations(RuleContext(views, environment, directory), codes):
        yield SpecFinding(numbers[id(view)], view, report(rule.code, view, violation))
