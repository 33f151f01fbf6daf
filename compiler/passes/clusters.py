"""Clusters to their wire form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.draft import Draft
from bai.compiler.passes.images import lower_image
from bai.compiler.passes.mounts import lower_mounts
from bai.compiler.passes.names import Names
from bai.compiler.passes.references import References
from bai.compiler.passes.scaling import lower_scale
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.secrets import put_secret
from bai.compiler.passes.users import lower_user
from bai.compiler.passes.variables import lower_variables
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.specs.findings import Path
from bai.specs.models.machines import Cluster, PerformanceCounters, SetupTask

_NODE_SETUP: Final[Path] = ("properties", "nodeSetup")


def lower_clusters(scope: Scope, names: Names) -> Iterator[Resource]:
    """Iterate over the clusters of the spec."""
    for name, cluster in scope.spec.clusters.items():
        yield _cluster(scope, names, name, cluster)


def _cluster(scope: Scope, names: Names, name: str, cluster: Cluster) -> Resource:
    at: Path = ("spec", "clusters", name)
    draft = Draft(scope.document, at)
    draft.put(("properties", "vmSize"), cluster.vm_size, (*at, "vmSize"))
    draft.put(("properties", "vmPriority"), cluster.vm_priority, (*at, "vmPriority"))
    lower_scale(draft, cluster.scale, (*at, "scale"))
    if cluster.image:
        lower_image(draft, cluster.image, (*at, "image"))
    if cluster.user:
        account: Path = ("properties", "userAccountSettings")
        lower_user(scope, draft, account, cluster.user, (*at, "user"))
    draft.put(("properties", "subnet", "id"), cluster.subnet, (*at, "subnet"))
    if cluster.setup_task:
        references = References(scope, cluster_mounts=cluster.mounts, place="setup task")
        _setup_task(scope, draft, cluster.setup_task, references, (*at, "setupTask"))
    volumes = (*_NODE_SETUP, "mountVolumes")
    lower_mounts(scope, names, draft, volumes, cluster.mounts, (*at, "mounts"))
    if cluster.performance_counters:
        _counters(scope, draft, cluster.performance_counters, (*at, "performanceCounters"))
    return draft.finish(names.id(Kind.CLUSTER, name))


def _setup_task(
    scope: Scope, draft: Draft, task: SetupTask, references: References, at: Path
) -> None:
    target = (*_NODE_SETUP, "setupTask")
    draft.mark(target, at)
    command, logs = (*at, "command"), (*at, "logs")
    draft.put((*target, "commandLine"), references.expand(task.command, command), command)
    lower_variables(scope, draft, target, task.environment, task.secrets, references, at)
    draft.put((*target, "stdOutErrPathPrefix"), references.expand(task.logs, logs), logs)


def _counters(scope: Scope, draft: Draft, counters: PerformanceCounters, at: Path) -> None:
    settings = (*_NODE_SETUP, "performanceCountersSettings")
    target = (*settings, "appInsightsReference")
    draft.mark(settings, at)
    draft.put((*target, "component", "id"), counters.component, (*at, "component"))
    key = counters.instrumentation_key
    put_secret(scope, draft, (*target, "instrumentationKey"), key, (*at, "instrumentationKey"))
