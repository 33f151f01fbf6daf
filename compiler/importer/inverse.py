"""Wire bodies to the mappings of a spec: the inverse of the compiler's passes."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from pydantic import ValidationError

from bai.compiler.importer.origins import origin_of, placed, plain
from bai.compiler.passes.accounts import share_url
from bai.compiler.passes.toolkits import KEYS, LINES, argument_roles
from bai.compiler.resources.binds import bind_command, bound_directory
from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER, Kind, ResourceId
from bai.specs.models.machines import IMAGE_ALIASES
from bai.specs.models.mount_lines import format_mount_url
from bai.specs.models.mounts import Mount
from bai.specs.placeholders import GAP, STORAGE_KEY_PLACEHOLDER
from bai.specs.secrets import parse_secret_marker
from bai.specs.toolkits import TOOLKITS
from bai.specs.words_of_batch_ai import spec_word

Wire = Mapping[str, Any]


def job(wire: Wire, home: ResourceId) -> dict[str, Any]:
    """Return a job of a spec.

    Args:
        wire: the `properties` of a job.
        home: the id of the spec's workspace, to which names are relative.
    """
    spec: dict[str, Any] = {}
    if cluster := wire.get("cluster"):
        spec["cluster"] = _name(cluster["id"], Kind.CLUSTER, home)
    spec["nodeCount"] = wire["nodeCount"]
    spec["priority"] = wire.get("schedulingPriority")
    if container := wire.get("containerSettings"):
        spec["container"] = _container(container)
    spec["mounts"] = mounts(wire.get("mountVolumes", {}), home)
    spec["inputs"] = {entry["id"]: entry["path"] for entry in wire.get("inputDirectories", ())}
    spec["outputs"] = {
        entry["id"]: _short(
            {"path": entry["pathPrefix"], "suffix": entry.get("pathSuffix")}, "path"
        )
        for entry in wire.get("outputDirectories", ())
    }
    spec["logs"] = wire["stdOutErrPathPrefix"]
    spec["environment"] = _environment(wire.get("environmentVariables", ()))
    spec["secrets"] = _secrets(wire.get("secrets", ()))
    spec["preparation"] = wire.get("jobPreparation", {}).get("commandLine")
    spec["timeLimit"] = wire.get("constraints", {}).get("maxWallClockTime")
    # A toolkit without any key is one all the same.
    toolkits = {name: _toolkit(wire[key], wire) for name, key in TOOLKITS.items() if key in wire}
    return _filled(spec) | toolkits


def cluster(wire: Wire, home: ResourceId) -> dict[str, Any]:
    """Return a cluster of a spec, from the `properties` of one."""
    spec: dict[str, Any] = {"vmSize": wire["vmSize"], "vmPriority": _word(wire.get("vmPriority"))}
    spec["scale"] = _scale(wire["scaleSettings"])
    if image := wire.get("virtualMachineConfiguration", {}).get("imageReference"):
        spec["image"] = _image(image)
    if user := wire.get("userAccountSettings"):
        spec["user"] = _user(user)
    spec["subnet"] = wire.get("subnet", {}).get("id")
    setup = wire.get("nodeSetup", {})
    spec["mounts"] = mounts(setup.get("mountVolumes", {}), home)
    if task := setup.get("setupTask"):
        spec["setupTask"] = {
            "command": task["commandLine"],
            "environment": _environment(task.get("environmentVariables", ())),
            "secrets": _secrets(task.get("secrets", ())),
            "logs": task["stdOutErrPathPrefix"],
        }
    spec = _filled(spec)
    if counters := setup.get("performanceCountersSettings"):
        insights = counters["appInsightsReference"]
        # A key that is missing stays as None, and loading the spec reports it.
        spec["performanceCounters"] = {
            "component": insights["component"]["id"],
            "instrumentationKey": _secret(insights, "instrumentationKey"),
        }
    return spec


def file_server(wire: Wire, home: ResourceId) -> dict[str, Any]:  # noqa: ARG001
    """Return a file server of a spec, from the `properties` of one."""
    disks, ssh = wire["dataDisks"], wire["sshConfiguration"]
    return _filled(
        {
            "vmSize": wire["vmSize"],
            "disks": {
                "count": disks["diskCount"],
                "size": placed(f"{disks['diskSizeInGB']}g", origin_of(disks["diskSizeInGB"])),
                "type": _word(disks["storageAccountType"]),
                "caching": _word(disks.get("cachingType")),
            },
            "user": _user(ssh["userAccountSettings"]),
            "allowIps": ssh.get("publicIPsToAllow"),
            "subnet": wire.get("subnet", {}).get("id"),
        }
    )


def mounts(volumes: Wire, home: ResourceId) -> dict[str, Any]:
    """Return the mounts of a spec, each in the short form of one line if possible."""
    found: dict[str, Any] = {}
    for share in volumes.get("azureFileShares", ()):
        found[share["relativeMountPath"]] = {"azureFile": _share(share)}
    for blob in volumes.get("azureBlobFileSystems", ()):
        found[blob["relativeMountPath"]] = {
            "azureBlob": {
                "account": _account(blob.get("accountName")),
                "container": blob["containerName"],
                "key": _key(blob.get("credentials", {})),
                "options": blob.get("mountOptions"),
            }
        }
    for server in volumes.get("fileServers", ()):
        found[server["relativeMountPath"]] = {
            "fileServer": {
                "name": _name(server["fileServer"]["id"], Kind.FILE_SERVER, home),
                "source": server.get("sourceDirectory"),
                "options": server.get("mountOptions"),
            }
        }
    for other in volumes.get("unmanagedFileSystems", ()):
        command = other["mountCommand"]
        directory = bound_directory(command)
        if directory and bind_command(posixpath.normpath(directory)) == command:
            mount = {"file": {"path": placed(directory, origin_of(command))}}
        else:
            mount = {"unmanaged": {"command": command}}
        found[other["relativeMountPath"]] = mount
    return {key: _line(_filled(mount)) for key, mount in found.items()}


def _line(mount: dict[str, Any]) -> Any:
    if any(GAP in options.values() for options in mount.values()):
        # In an address it would be spelled %3F.
        return mount
    try:
        line = format_mount_url(Mount.model_validate(plain(mount)))
    except ValidationError:
        # Loading the whole spec reports the error.
        return mount
    return mount if line is None else placed(line, origin_of(mount))


def _share(share: Wire) -> dict[str, Any]:
    url = share["azureFileUrl"]
    account = share["accountName"]
    prefix = share_url(account, "")
    own = {"url": url}
    if url.startswith(prefix):
        own = {"share": placed(url.removeprefix(prefix), origin_of(url))}
    return {
        "account": _account(account),
        **own,
        "key": _key(share.get("credentials", {})),
        "fileMode": share.get("fileMode"),
        "directoryMode": share.get("directoryMode"),
    }


def _account(name: str | None) -> str | None:
    return None if name == STORAGE_ACCOUNT_PLACEHOLDER else name


def _key(credentials: Wire) -> Any:
    is_default = credentials.get("accountKey") == STORAGE_KEY_PLACEHOLDER
    return None if is_default else _secret(credentials, "accountKey")


def _secret(holder: Wire, key: str) -> Any:
    if reference := holder.get(f"{key}SecretReference"):
        vault = {"vault": reference["sourceVault"]["id"], "url": reference["secretUrl"]}
        return {"keyVault": vault}
    if key not in holder:
        return None
    ref = parse_secret_marker(holder[key])
    return placed(f"{ref.source}:{ref.name}", origin_of(holder[key]))


def _secrets(variables: Iterable[Wire]) -> dict[str, Any]:
    return {variable["name"]: _secret(variable, "value") for variable in variables}


def _environment(variables: Iterable[Wire]) -> dict[str, str]:
    return {variable["name"]: variable["value"] for variable in variables}


def _container(wire: Wire) -> Any:
    registry = wire["imageSourceRegistry"]
    spec: dict[str, Any] = {"image": registry["image"], "server": registry.get("serverUrl")}
    if account := registry.get("credentials"):
        password = _secret(account, "password")
        spec["credentials"] = {"username": account["username"], "password": password}
    spec["shmSize"] = wire.get("shmSize")
    return _short(spec, "image")


def _scale(wire: Wire) -> Any:
    if manual := wire.get("manual"):
        option = _word(manual.get("nodeDeallocationOption"))
        return _short({"target": manual["targetNodeCount"], "onDeallocation": option}, "target")
    auto = wire["autoScale"]
    counts = (auto["minimumNodeCount"], auto["maximumNodeCount"], auto.get("initialNodeCount"))
    return dict(zip(("min", "max", "initial"), counts, strict=True))


def _image(wire: Wire) -> Any:
    parts = (wire["publisher"], wire["offer"], wire["sku"])
    version, custom = wire.get("version"), wire.get("virtualMachineImageId")
    if not custom:
        if version is None and parts in IMAGE_ALIASES.values():
            alias = "UbuntuLTS" if parts == IMAGE_ALIASES["ubuntults"] else "UbuntuDSVM"
            return placed(alias, origin_of(wire))
        words = parts if version is None else (*parts, version)
        if all(word and ":" not in word for word in words):
            return placed(":".join(words), origin_of(wire))
    names = dict(zip(("publisher", "offer", "sku"), parts, strict=True))
    return names | {"version": version, "id": custom}


def _user(wire: Wire) -> dict[str, Any]:
    return {
        "name": wire["adminUserName"],
        "sshKey": wire.get("adminUserSshPublicKey"),
        "password": _secret(wire, "adminUserPassword"),
    }


def _toolkit(settings: Wire, job: Wire) -> dict[str, Any]:
    names = {wire_key: key for key, wire_key in KEYS.items()}
    words = ("languageType", "communicationBackend")
    spec = {names[key]: _word(v) if key in words else v for key, v in settings.items()}
    if settings is job.get(TOOLKITS["tensorFlow"]):
        is_alone = not (spec.get("workerCount") or spec.get("parameterServerCount"))
        roles = argument_roles(job["nodeCount"], is_alone=is_alone)
        given = {key: spec[key] for key in spec if key in LINES}
        if given and given.keys() == set(roles) and len(set(given.values())) == 1:
            spec = {key: spec[key] for key in spec if key not in given}
            spec["args"] = given[roles[0]]
    return spec


def _word(spelling: str | None) -> str | None:
    """Return a word of Batch AI's as a spec has it; None for None."""
    return None if spelling is None else placed(spec_word(spelling), origin_of(spelling))


def _name(arm_id: str, kind: Kind, home: ResourceId) -> str:
    """Return the bare name of a resource of the spec's own workspace, else its ARM id."""
    try:
        parsed = ResourceId.parse(arm_id)
    except ValueError:
        return arm_id
    same = parsed == home.sibling(kind, parsed.name) and str(parsed) == arm_id
    return placed(parsed.name, origin_of(arm_id)) if same else arm_id


def _short(spec: dict[str, Any], key: str) -> Any:
    spec = _filled(spec)
    return spec[key] if list(spec) == [key] else spec


def _filled(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a mapping, and those in it, without the keys that have no value."""
    kept = {key: _filled(v) if isinstance(v, dict) else v for key, v in spec.items()}
    return {key: value for key, value in kept.items() if value is not None and value != {}}


INVERSE: Final[Mapping[Kind, Callable[[Wire, ResourceId], dict[str, Any]]]] = {
    Kind.FILE_SERVER: file_server,
    Kind.CLUSTER: cluster,
    Kind.JOB: job,
}
"""Kind -> what makes the part of a spec of the `properties` of a resource."""
