"""The compiler: names, then every part of a spec to its wire form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bai.compiler.compilation import Compilation, Defaults
from bai.compiler.passes.jobs import lower_job
from bai.compiler.passes.machines import lower_cluster, lower_file_server
from bai.compiler.passes.measured import lower_measured, measured_clusters
from bai.compiler.passes.metadata import lower_experiment, lower_workspace, resolve_names
from bai.compiler.passes.parameters import report_unused
from bai.compiler.passes.scope import Declared, Scope
from bai.compiler.passes.sweeps import lower_sweeps
from bai.compiler.resources.code import CodeFolders
from bai.compiler.resources.resource import Resource
from bai.specs.findings import in_order
from bai.specs.load import LoadedSpec
from bai.specs.models.experiment import Experiment


def compile_spec(
    spec: LoadedSpec, defaults: Defaults, code_folders: CodeFolders | None = None
) -> Compilation:
    """Expand a spec into Batch AI resources. The linter checks them: `bai.linter.check`.

    Args:
        spec: a spec that loaded without findings of its own.
        defaults: values for names that the spec leaves out.
        code_folders: what is known of folders of code; without, snapshots have no names.

    Returns:
        The resources in the order in which they must exist, and the findings of the passes; with an
        error among the findings the resources are not fit to be sent.
    """
    [compilation] = compile_specs([spec], defaults, code_folders)
    return compilation


def compile_specs(
    specs: Sequence[LoadedSpec], defaults: Defaults, code_folders: CodeFolders | None = None
) -> list[Compilation]:
    """Expand specs that belong together, each as `compile_spec` does.

    A job may run on a cluster of another spec, and all have one idea of their workspace.
    """
    declared = Declared()
    scopes = [
        resolve_names(Scope(spec, defaults, declared=declared, code_folders=code_folders))
        for spec in specs
    ]
    for scope in scopes:
        declared.add(scope.names, scope.loaded)
    declared.measured.update(measured_clusters(scopes))
    return [_compilation(scope) for scope in scopes]


def _compilation(scope: Scope) -> Compilation:
    report_unused(scope)
    resources, sweeps = tuple(_resources(scope)), tuple(lower_sweeps(scope))
    # Jobs that share a part of the spec by an alias share its findings as well.
    return Compilation(resources, in_order(scope.findings), sweeps=sweeps)


def _resources(scope: Scope) -> Iterator[Resource]:
    """Iterate over the resources of a spec, in the order in which they must exist."""
    yield lower_workspace(scope)
    if isinstance(scope.loaded.model, Experiment):
        yield lower_experiment(scope)
    for name, server in scope.spec.file_servers.items():
        yield lower_file_server(scope, name, server)
    for name, cluster in scope.spec.clusters.items():
        yield lower_cluster(scope, name, cluster)
    yield from lower_measured(scope)
    for name, job in scope.spec.jobs.items():
        yield lower_job(scope, name, job)
