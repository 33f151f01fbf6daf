"""Clusters and file servers to their wire form."""

from __future__ import annotations

from typing import Final

from bai.compiler.compilation import UNNAMED
from bai.compiler.passes.command_lines import set_line
from bai.compiler.passes.mounts import lower_mounts
from bai.compiler.passes.references import References
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.variables import lower_variables
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.specs.findings import Path
from bai.specs.models.machines import (
    IMAGE_ALIASES,
    Cluster,
    FileServer,
    Image,
    PerformanceCounters,
    Scale,
    SetupTask,
    User,
)
from bai.specs.models.sizes import gigabytes
from bai.specs.words_of_batch_ai import wire_word

_SCALE: Final[Path] = ("properties", "scaleSettings")
_IMAGE: Final[Path] = ("properties", "virtualMachineConfiguration", "imageReference")
_NODE_SETUP: Final[Path] = ("properties", "nodeSetup")


def word(written: str | None) -> str | None:
    """Return Batch AI's spelling of a word; None for None."""
    return None if written is None else wire_word(written)


def lower_cluster(scope: Scope, name: str, cluster: Cluster) -> Resource:
    """Return the cluster of a name."""
    at = scope.place("clusters", name)
    builder = WireBuilder(scope, at)
    size, written = cluster.vm_size, (*at, "vmSize")
    if size is None:
        builder.set(("properties", "vmSize"), scope.defaults.vm_size, None)
    builder.set(("properties", "vmSize"), size, written)
    builder.set(("properties", "vmPriority"), word(cluster.vm_priority), (*at, "vmPriority"))
    lower_scale(builder, cluster.scale, (*at, "scale"))
    if cluster.image:
        lower_image(builder, cluster.image, (*at, "image"))
    if cluster.user:
        account: Path = ("properties", "userAccountSettings")
        _user(builder, account, cluster.user, (*at, "user"))
    builder.set(("properties", "subnet", "id"), cluster.subnet, (*at, "subnet"))
    if cluster.setup_task:
        references = References(scope, cluster_mounts=cluster.mounts, place="setup task")
        _setup_task(builder, cluster.setup_task, references, (*at, "setupTask"))
    volumes = (*_NODE_SETUP, "mountVolumes")
    lower_mounts(builder, volumes, cluster.mounts, (*at, "mounts"))
    if cluster.performance_counters:
        _counters(builder, cluster.performance_counters, (*at, "performanceCounters"))
    return builder.finish(scope.names.id(Kind.CLUSTER, name))


def lower_scale(builder: WireBuilder, scale: Scale, at: Path) -> None:
    """Put a cluster's scaleSettings; `at` is the place of `scale` in the document."""
    manual, auto = (*_SCALE, "manual"), (*_SCALE, "autoScale")
    option = (*manual, "nodeDeallocationOption")
    builder.set((*manual, "targetNodeCount"), scale.target, (*at, "target"))
    builder.set(option, word(scale.on_deallocation), (*at, "onDeallocation"))
    builder.set((*auto, "minimumNodeCount"), scale.min, (*at, "min"))
    builder.set((*auto, "maximumNodeCount"), scale.max, (*at, "max"))
    builder.set((*auto, "initialNodeCount"), scale.initial, (*at, "initial"))


def lower_image(builder: WireBuilder, image: Image, at: Path) -> None:
    """Put a cluster's imageReference; `at` is the place of `image` in the document."""
    if image.alias is not None:
        names = IMAGE_ALIASES[image.alias.lower()]
        for key, name in zip(("publisher", "offer", "sku"), names, strict=True):
            builder.set((*_IMAGE, key), name, (*at, "alias"))
    builder.set((*_IMAGE, "publisher"), image.publisher, (*at, "publisher"))
    builder.set((*_IMAGE, "offer"), image.offer, (*at, "offer"))
    builder.set((*_IMAGE, "sku"), image.sku, (*at, "sku"))
    builder.set((*_IMAGE, "version"), image.version, (*at, "version"))
    builder.set((*_IMAGE, "virtualMachineImageId"), image.id, (*at, "id"))


def _setup_task(builder: WireBuilder, task: SetupTask, references: References, at: Path) -> None:
    target = (*_NODE_SETUP, "setupTask")
    builder.mark(target, at)
    command, logs = (*at, "command"), (*at, "logs")
    line = (*target, "commandLine")
    set_line(builder, line, task.command, references, command, owner=task, is_command=True)
    lower_variables(builder, target, task, references, at)
    builder.set((*target, "stdOutErrPathPrefix"), references.expand(task.logs, logs), logs)


def _counters(builder: WireBuilder, counters: PerformanceCounters, at: Path) -> None:
    settings = (*_NODE_SETUP, "performanceCountersSettings")
    target = (*settings, "appInsightsReference")
    builder.mark(settings, at)
    builder.set((*target, "component", "id"), counters.component, (*at, "component"))
    key = counters.instrumentation_key
    builder.set_secret((*target, "instrumentationKey"), key, (*at, "instrumentationKey"))


def lower_file_server(scope: Scope, name: str, server: FileServer) -> Resource:
    """Return the file server of a name."""
    at = scope.place("fileServers", name)
    builder = WireBuilder(scope, at)
    # The context's size is that of nodes.
    size, written = server.vm_size, (*at, "vmSize")
    builder.set(("properties", "vmSize"), size or UNNAMED, written if size else None)
    ssh: Path = ("properties", "sshConfiguration")
    builder.set((*ssh, "publicIPsToAllow"), server.allow_ips, (*at, "allowIps"))
    _user(builder, (*ssh, "userAccountSettings"), server.user, (*at, "user"))
    disks: Path = ("properties", "dataDisks")
    builder.set((*disks, "diskSizeInGB"), gigabytes(server.disks.size), (*at, "disks", "size"))
    builder.set((*disks, "diskCount"), server.disks.count, (*at, "disks", "count"))
    builder.set((*disks, "storageAccountType"), word(server.disks.type), (*at, "disks", "type"))
    builder.set((*disks, "cachingType"), word(server.disks.caching), (*at, "disks", "caching"))
    builder.set(("properties", "subnet", "id"), server.subnet, (*at, "subnet"))
    return builder.finish(scope.names.id(Kind.FILE_SERVER, name))


def _user(builder: WireBuilder, target: Path, user: User, at: Path) -> None:
    """Put userAccountSettings at the wire path `target`, for clusters and file servers alike."""
    builder.set((*target, "adminUserName"), user.name, (*at, "name"))
    builder.set((*target, "adminUserSshPublicKey"), user.ssh_key, (*at, "sshKey"))
    builder.set_secret((*target, "adminUserPassword"), user.password, (*at, "password"))
