"""The check of compiled specs. It is pure: it reads no file and starts no process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bai.compiler.compilation import Compilation
from bai.linter.resource_view import RuleContext
from bai.linter.rules.registry import violations
from bai.linter.views import views_of
from bai.specs.findings import by_place
from bai.specs.load import LoadedSpec


def check(specs: Sequence[LoadedSpec], compilations: Sequence[Compilation]) -> list[Compilation]:
    """Return the compilations with what the rules find in them added to their findings.

    Rules see all of them at once, since a job may run on a cluster of another spec.

    Args:
        specs: specs that belong together.
        compilations: what `compile_specs` made of each.
    """
    found = [list(each.findings) for each in compilations]
    views = []
    owners = {}
    for spec, compilation, mine in zip(specs, compilations, found, strict=True):
        for view in views_of(compilation.resources, spec.document):
            views.append(view)
            owners[id(view)] = mine
    for rule, violation in violations(RuleContext(views)):
        owners[id(violation.resource)].append(rule.finding(violation))
    return [
        replace(compilation, findings=tuple(sorted(dict.fromkeys(mine), key=by_place)))
        for compilation, mine in zip(compilations, found, strict=True)
    ]
