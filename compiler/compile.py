"""A compilation: names, then every part of the spec to its wire form, then the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from bai.compiler.compilation import Compilation, Defaults
from bai.compiler.passes.clusters import lower_clusters
from bai.compiler.passes.file_servers import lower_file_servers
from bai.compiler.passes.jobs import lower_jobs
from bai.compiler.passes.names import Names, resolve_names
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.workspace import lower_experiment, lower_workspace
from bai.compiler.resources.resource import Resource
from bai.compiler.rules.compiled import check_all
from bai.compiler.rules.machine import Files, Shell
from bai.specs.findings import by_place
from bai.specs.load import LoadedSpec

LOWERINGS: Final[tuple[Callable[[Scope, Names], Iterable[Resource]], ...]] = (
    lower_workspace,
    lower_experiment,
    lower_file_servers,
    lower_clusters,
    lower_jobs,
)
"""The passes that make resources, in the order in which the resources must exist."""


def compile_spec(
    spec: LoadedSpec,
    defaults: Defaults,
    files: Files | None = None,
    shell: Shell | None = None,
) -> Compilation:
    """Expand a spec into Batch AI resources.

    Args:
        spec: a spec that loaded without findings of its own.
        defaults: what the spec may leave unsaid.
        files: the files of this machine, for rules that look at scripts; None for no look.
        shell: ShellCheck, for the rule that asks it; None for no question.

    Returns:
        The resources in the order in which they must exist, and every finding; with an error
        among the findings the resources are not fit to be sent.
    """
    scope = Scope(spec, defaults)
    names = resolve_names(scope)
    resources = tuple(resource for lower in LOWERINGS for resource in lower(scope, names))
    found = (*scope.findings, *check_all(resources, spec.document, files, shell))
    # Jobs that share a part of the spec by an alias share its findings as well.
    return Compilation(resources, tuple(sorted(dict.fromkeys(found), key=by_place)))
