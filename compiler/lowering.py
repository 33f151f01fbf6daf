"""From specs to resources: names, then every part of a spec to its wire form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bai.compiler.compilation import Defaults
from bai.compiler.passes.clusters import lower_clusters
from bai.compiler.passes.declared import Declared
from bai.compiler.passes.file_servers import lower_file_servers
from bai.compiler.passes.jobs import lower_jobs
from bai.compiler.passes.names import Names, resolve_names
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.workspace import lower_experiment, lower_workspace
from bai.compiler.resources.resource import Resource
from bai.compiler.rules.compiled import subjects_of
from bai.compiler.rules.subject import Subject
from bai.specs.findings import Finding
from bai.specs.load import LoadedSpec

LOWERINGS: Final[tuple[Callable[[Scope, Names], Iterable[Resource]], ...]] = (
    lower_workspace,
    lower_experiment,
    lower_file_servers,
    lower_clusters,
    lower_jobs,
)
"""The passes that make resources, in the order in which the resources must exist."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """What the passes made of a spec, which no rule has seen yet."""

    resources: tuple[Resource, ...]
    """In the order in which they must exist."""
    findings: tuple[Finding, ...]
    """Those of the passes."""
    subjects: tuple[Subject, ...]
    """The resources, as rules look at them."""


def lower_specs(specs: Sequence[LoadedSpec], defaults: Defaults) -> list[Lowered]:
    """Expand specs that belong together into resources.

    Args:
        specs: specs that loaded without findings of their own.
        defaults: what they may leave unsaid.
    """
    declared = Declared()
    scopes = [Scope(spec, defaults, declared=declared) for spec in specs]
    names = [resolve_names(scope) for scope in scopes]
    for scope, own in zip(scopes, names, strict=True):
        declared.add(own, scope.spec)
    return [_lowered(scope, own) for scope, own in zip(scopes, names, strict=True)]


def _lowered(scope: Scope, names: Names) -> Lowered:
    resources = tuple(resource for lower in LOWERINGS for resource in lower(scope, names))
    subjects = tuple(subjects_of(resources, scope.document))
    return Lowered(resources, tuple(scope.findings), subjects)
