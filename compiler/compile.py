"""The compiler: names, then every part of a spec to its wire form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from bai.compiler.compilation import Compilation, Defaults
from bai.compiler.passes.clusters import lower_clusters
from bai.compiler.passes.declared import Declared
from bai.compiler.passes.file_servers import lower_file_servers
from bai.compiler.passes.jobs import lower_jobs
from bai.compiler.passes.names import Names
from bai.compiler.passes.resolve_names import resolve_names
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.workspace import lower_experiment, lower_workspace
from bai.compiler.resources.resource import Resource
from bai.specs.findings import by_place
from bai.specs.load import LoadedSpec

PASSES: Final[tuple[Callable[[Scope, Names], Iterable[Resource]], ...]] = (
    lower_workspace,
    lower_experiment,
    lower_file_servers,
    lower_clusters,
    lower_jobs,
)
"""The passes that make resources, in the order in which the resources must exist."""


def compile_spec(spec: LoadedSpec, defaults: Defaults) -> Compilation:
    """Expand a spec into Batch AI resources. The linter checks them: `bai.linter.check`.

    Args:
        spec: a spec that loaded without findings of its own.
        defaults: values for names that the spec leaves out.

    Returns:
        The resources in the order in which they must exist, and the findings of the passes; with an
        error among the findings the resources are not fit to be sent.
    """
    [compilation] = compile_specs([spec], defaults)
    return compilation


def compile_specs(specs: Sequence[LoadedSpec], defaults: Defaults) -> list[Compilation]:
    """Expand specs that belong together, each as `compile_spec` does.

    A job may run on a cluster of another spec.
    """
    declared = Declared()
    scopes = [Scope(spec, defaults, declared=declared) for spec in specs]
    names = [resolve_names(scope) for scope in scopes]
    for scope, own in zip(scopes, names, strict=True):
        declared.add(own, scope.spec)
    return [_compilation(scope, own) for scope, own in zip(scopes, names, strict=True)]


def _compilation(scope: Scope, names: Names) -> Compilation:
    resources = tuple(resource for lower in PASSES for resource in lower(scope, names))
    # Jobs that share a part of the spec by an alias share its findings as well.
    found = dict.fromkeys(scope.findings)
    return Compilation(resources, tuple(sorted(found, key=by_place)))
