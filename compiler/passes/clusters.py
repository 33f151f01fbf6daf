"""Clusters to their wire form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.passes.images import lower_image
from bai.compiler.passes.mounts import lower_mounts
from bai.compiler.passes.names import Names
from bai.compiler.passes.references import References
from bai.compiler.passes.scaling import lower_scale
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.secrets import set_secret
from bai.compiler.passes.users import lower_user
from bai.compiler.passes.variables import lower_variables
from bai.compiler.passes.wire_builder import WireBuilder
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
    builder = WireBuilder(scope, at)
    builder.set(("properties", "vmSize"), cluster.vm_size, (*at, "vmSize"))
    builder.set(("properties", "vmPriority"), cluster.vm_priority, (*at, "vmPriority"))
    lower_scale(builder, cluster.scale, (*at, "scale"))
    if cluster.image:
        lower_image(builder, cluster.image, (*at, "image"))
    if cluster.user:
        account: Path = ("properties", "userAccountSettings")
        lower_user(builder, account, cluster.user, (*at, "user"))
    builder.set(("properties", "subnet", "id"), cluster.subnet, (*at, "subnet"))
    if cluster.setup_task:
        references = References(scope, cluster_mounts=cluster.mounts, place="setup task")
        _setup_task(builder, cluster.setup_task, references, (*at, "setupTask"))
    volumes = (*_NODE_SETUP, "mountVolumes")
    lower_mounts(names, builder, volumes, cluster.mounts, (*at, "mounts"))
    if cluster.performance_counters:
        _counters(builder, cluster.performance_counters, (*at, "performanceCounters"))
    return builder.finish(names.id(Kind.CLUSTER, name))


def _setup_task(builder: WireBuilder, task: SetupTask, references: References, at: Path) -> None:
    target = (*_NODE_SETUP, "setupTask")
    builder.mark(target, at)
    command, logs = (*at, "command"), (*at, "logs")
    builder.set((*target, "commandLine"), references.expand(task.command, command), command)
    lower_variables(builder, target, task, references, at)
    builder.set((*target, "stdOutErrPathPrefix"), references.expand(task.logs, logs), logs)


def _counters(builder: WireBuilder, counters: PerformanceCounters, at: Path) -> None:
    settings = (*_NODE_SETUP, "performanceCountersSettings")
    target = (*settings, "appInsightsReference")
    builder.mark(settings, at)
    builder.set((*target, "component", "id"), counters.component, (*at, "component"))
    key = counters.instrumentation_key
    set_secret(builder, (*target, "instrumentationKey"), key, (*at, "instrumentationKey"))
