"""`commands.sh`: the commands that make what a spec declares, for a shell with `az`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bai.compiler.compilation import Compilation
from bai.compiler.resources.code import Code
from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER, Kind, ResourceId
from bai.compiler.resources.reserved import CODE_SHARE
from bai.compiler.resources.resource import Resource
from bai.specs.document import value_at
from bai.specs.findings import Path

SNAPSHOTS: Final = "snapshots"
"""The folder beside the files in which `commands.sh` finds the snapshots of code."""
_HEAD: Final = """\
#!/bin/sh
# Makes what the spec declares, after `az login`. The resource group and the storage account must be
# there; shares and containers are made unless they are, or a mount names an account of its own.
set -e
cd "$(dirname "$0")"
"""
_MOUNTS: Final[tuple[Path, ...]] = (
    ("properties", "mountVolumes"),
    ("properties", "nodeSetup", "mountVolumes"),
)
_ACCOUNT: Final = "AZURE_BATCHAI_STORAGE_ACCOUNT"
_CHECK: Final = f': "${{{_ACCOUNT}:?name the storage account of the mounts here}}"\n'


def script(compilation: Compilation, files: Mapping[ResourceId, str]) -> str:
    """Return the text of the script.

    Args:
        compilation: the resources of the spec.
        files: the names of the files of those that have one.
    """
    # Before the clusters: their nodes mount shares as soon as there are any.
    places = dict.fromkeys(line for resource in compilation.resources for line in _places(resource))
    commands = [*places]
    for resource in compilation.resources:
        if resource.code and (upload := _upload(resource, resource.code)) not in commands:
            commands.append(upload)
        commands.append(_create(resource, files.get(resource.id)))
    lines = "".join(f"{command}\n" for command in commands)
    return f"{_HEAD}{_CHECK if _ACCOUNT in lines else ''}{lines}"


def _volumes(resource: Resource) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Iterate over the volumes of Azure Storage that a resource mounts, with their wire paths."""
    for mounts in _MOUNTS:
        for key in ("azureFileShares", "azureBlobFileSystems"):
            path = (*mounts, key)
            for index, volume in enumerate(value_at(resource.wire, path, ())):
                yield (*path, index), volume


def _places(resource: Resource) -> Iterator[str]:
    """Iterate over the commands that make the shares and containers that a resource mounts.

    A mount that names its account means a place that is there.
    """
    for path, volume in _volumes(resource):
        named, mount = resource.spans.get((*path, "accountName")), resource.span(*path)
        if named and mount and mount.covers(named):
            continue
        account = _account_option(volume)
        if "containerName" in volume:
            name = shlex.quote(volume["containerName"])
            yield f"az storage container create -n {name} {account}"
        else:
            share = volume["azureFileUrl"].rpartition("/")[2]
            yield f"az storage share create -n {shlex.quote(share)} {account}"


def _account_option(volume: Mapping[str, Any]) -> str:
    name = volume["accountName"]
    is_open = name == STORAGE_ACCOUNT_PLACEHOLDER
    written = f'"${_ACCOUNT}"' if is_open else shlex.quote(name)
    return f"--account-name {written}"


def _upload(job: Resource, code: Code) -> str:
    """Return the command that puts the snapshot of a job's code into its share."""
    volume = next(each for _, each in _volumes(job) if each["relativeMountPath"] == CODE_SHARE)
    place = f"-d {CODE_SHARE} --destination-path {code.name} -s {SNAPSHOTS}/{code.name}"
    return f"az storage file upload-batch {place} {_account_option(volume)}"


def _create(resource: Resource, file: str | None) -> str:
    """Return the command that makes a resource, from its file if it has one."""
    id = resource.id
    wire = resource.to_wire()
    verb = "file-server" if id.kind is Kind.FILE_SERVER else id.kind.singular
    words = ["az", "batchai", verb, "create", "-n", id.name, "-g", id.resource_group]
    if id.kind is Kind.WORKSPACE:
        words += ["-l", wire["location"]]
    else:
        words += ["-w", id.workspace]
    if id.kind is Kind.JOB:
        cluster = wire["properties"]["cluster"]["id"]
        parsed = ResourceId.parse(cluster)
        same = parsed == id.sibling(Kind.CLUSTER, parsed.name)
        words += ["-e", str(id.experiment), "-c", parsed.name if same else cluster]
    if file:
        words += ["-f", file]
    if id.kind is Kind.CLUSTER and "userAccountSettings" not in wire["properties"]:
        # az makes no cluster without a user, and takes the one who runs it.
        words.append("--generate-ssh-keys")
    return shlex.join(words)
