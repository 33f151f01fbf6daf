"""Clusters and file servers to their wire form."""

from __future__ import annotations

from typing import Any

from bai.compiler.draft import Draft
from bai.compiler.passes.accounts import secret
from bai.compiler.passes.mounts import lower_mounts
from bai.compiler.passes.references import References
from bai.compiler.passes.scope import Names, Scope
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource, body_from_wire
from bai.specs.findings import Path
from bai.specs.models.machines import IMAGE_ALIASES, Cluster, FileServer, Image, Scale, User


def lower_cluster(scope: Scope, names: Names, name: str, cluster: Cluster) -> Resource:
    """Return the wire form of one cluster."""
    at: Path = ("spec", "clusters", name)
    draft = Draft(scope.document, at)
    put = _putter(draft, at)
    put("vmSize", cluster.vm_size, "vmSize")
    put("vmPriority", cluster.vm_priority, "vmPriority")
    put("scaleSettings", _scale(cluster.scale), "scale")
    _scale_spans(draft, cluster.scale, (*at, "scale"))
    if cluster.image:
        put("virtualMachineConfiguration", {"imageReference": _image(cluster.image)}, "image")
    if cluster.user:
        put("userAccountSettings", _user(cluster.user), "user")
    if cluster.subnet:
        put("subnet", {"id": cluster.subnet}, "subnet")
    _setup_task(scope, draft, cluster, at)
    volumes: Path = ("properties", "nodeSetup", "mountVolumes")
    lower_mounts(scope, names, draft, volumes, cluster.mounts, (*at, "mounts"))
    if counters := cluster.performance_counters:
        insights = {"component": {"id": counters.component}}
        insights |= secret(counters.instrumentation_key, "instrumentationKey")
        target: Path = ("properties", "nodeSetup", "performanceCountersSettings")
        source = (*at, "performanceCounters")
        draft.put(target, {"appInsightsReference": insights}, source)
    body = body_from_wire(Kind.CLUSTER, draft.wire)
    return Resource(names.id(Kind.CLUSTER, name), body, draft.spans)


def lower_file_server(scope: Scope, names: Names, name: str, server: FileServer) -> Resource:
    """Return the wire form of one file server."""
    at: Path = ("spec", "fileServers", name)
    draft = Draft(scope.document, at)
    put = _putter(draft, at)
    put("vmSize", server.vm_size, "vmSize")
    ssh: dict[str, Any] = {"userAccountSettings": _user(server.user)}
    if server.allow_ips is not None:
        ssh["publicIPsToAllow"] = list(server.allow_ips)
    put("sshConfiguration", ssh, "user")
    disks = server.disks
    wire = {
        "diskSizeInGB": disks.size_gb,
        "diskCount": disks.count,
        "storageAccountType": disks.type,
    }
    put("dataDisks", wire | ({"cachingType": disks.caching} if disks.caching else {}), "disks")
    if server.subnet:
        put("subnet", {"id": server.subnet}, "subnet")
    body = body_from_wire(Kind.FILE_SERVER, draft.wire)
    return Resource(names.id(Kind.FILE_SERVER, name), body, draft.spans)


def _putter(draft: Draft, at: Path) -> Any:
    def put(wire_key: str, value: Any, key: str) -> None:
        draft.put(("properties", wire_key), value, (*at, key))

    return put


def _scale(scale: Scale) -> dict[str, Any]:
    if scale.target is not None:
        option = scale.on_deallocation
        manual: dict[str, Any] = {"targetNodeCount": scale.target}
        return {"manual": manual | ({"nodeDeallocationOption": option} if option else {})}
    counts = {
        "minimumNodeCount": scale.min,
        "maximumNodeCount": scale.max,
        "initialNodeCount": scale.initial,
    }
    return {"autoScale": {key: count for key, count in counts.items() if count is not None}}


def _scale_spans(draft: Draft, scale: Scale, at: Path) -> None:
    base: Path = ("properties", "scaleSettings")
    if scale.target is not None:
        draft.put((*base, "manual", "targetNodeCount"), scale.target, (*at, "target"))
        return
    auto = (*base, "autoScale")
    draft.put((*auto, "minimumNodeCount"), scale.min, (*at, "min"))
    draft.put((*auto, "maximumNodeCount"), scale.max, (*at, "max"))
    draft.put((*auto, "initialNodeCount"), scale.initial, (*at, "initial"))


def _image(image: Image) -> dict[str, Any]:
    if image.alias is not None:
        publisher, offer, sku = IMAGE_ALIASES[image.alias.lower()]
    else:
        publisher, offer, sku = image.publisher or "", image.offer or "", image.sku or ""
    wire = {"publisher": publisher, "offer": offer, "sku": sku}
    if image.version:
        wire["version"] = image.version
    if image.id:
        wire["virtualMachineImageId"] = image.id
    return wire


def _user(user: User) -> dict[str, Any]:
    wire: dict[str, Any] = {"adminUserName": user.name}
    if user.ssh_key is not None:
        wire["adminUserSshPublicKey"] = user.ssh_key
    if user.password is not None:
        wire |= secret(user.password, "adminUserPassword")
    return wire


def _setup_task(scope: Scope, draft: Draft, cluster: Cluster, at: Path) -> None:
    if not (task := cluster.setup_task):
        return
    references = References(scope, cluster_mounts=cluster.mounts)
    target: Path = ("properties", "nodeSetup", "setupTask")
    at = (*at, "setupTask")

    def put(wire_key: str, value: str, key: str) -> None:
        draft.put((*target, wire_key), references.expand(value, (*at, key)), (*at, key))

    put("commandLine", task.command, "command")
    for name, text in task.environment.items():
        source = (*at, "environment", name)
        value = {"name": name, "value": references.expand(text, source)}
        draft.append((*target, "environmentVariables"), value, source, name=source)
    for name, ref in task.secrets.items():
        source = (*at, "secrets", name)
        draft.append(
            (*target, "secrets"), {"name": name, **secret(ref, "value")}, source, name=source
        )
    put("stdOutErrPathPrefix", task.logs, "logs")
