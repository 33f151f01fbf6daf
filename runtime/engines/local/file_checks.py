"""Mounts that the local engine can't make, and files that are not in them."""

from __future__ import annotations

import importlib.util
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bai.compiler.resources.binds import bound_directory, mounted_path_hint
from bai.compiler.resources.resource import Resource
from bai.runtime.accounts import Accounts
from bai.runtime.file_server_settings import FileServers
from bai.runtime.jobs.paths import AttemptPaths, Wire, expand
from bai.runtime.mounts import kernel, smb
from bai.runtime.mounts.driver import Commands
from bai.runtime.mounts.export_remote import Export
from bai.runtime.mounts.nfs import NFS
from bai.runtime.mounts.rclone import obstacle
from bai.runtime.mounts.remote import INSTALL, Remote
from bai.runtime.mounts.share_remote import FileShare
from bai.runtime.mounts.volumes import (
    FOLDER_KEYS,
    Volume,
    check_path,
    entries,
    refused_command,
    volume,
)
from bai.runtime.mounts.ways import why_copied
from bai.runtime.revealing import missing
from bai.specs.codes import make_finding
from bai.specs.document import value_at
from bai.specs.errors import RuntimeFailure
from bai.specs.findings import Finding
from bai.specs.findings import Path as WirePath
from bai.specs.names import nearest

JOB_MOUNTS: WirePath = ("properties", "mountVolumes")
CLUSTER_MOUNTS: WirePath = ("properties", "nodeSetup", "mountVolumes")

_OPTIONS: Final = {
    "fileMode": "fileMode",
    "directoryMode": "directoryMode",
    "mountOptions": "options",
}
"""Wire key of an option -> its key in a spec."""

_FILES: Final = {"pythonScriptFilePath": "script", "configFilePath": "config file"}
"""Wire key of a toolkit -> what the file is called."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What mounts lead to, and where they are made."""

    file_servers: FileServers
    storage: Accounts
    engine: str
    """The heading of the engine's table in bai.toml."""
    commands: Commands = "refuse"
    """Whether mount commands are run."""
    is_far: bool = False
    """Whether mounts are made on other machines."""


def finding_at(
    resource: Resource, path: WirePath, code: str, message: str, hint: str | None = None
) -> Finding:
    """Return a finding about the wire value at `path`."""
    return make_finding(code, message, resource.span(*path), hint)


def check_options(resource: Resource, at: WirePath, machine: Machine) -> Iterator[Finding]:
    """Iterate over options of mounts that have no effect: folders and containers take none."""
    for kind, index, entry in entries(_mounts(resource, at)):
        try:
            remote = volume(kind, entry, machine.storage, machine.file_servers).remote
        except RuntimeFailure:
            # It can't be mounted, which is another finding.
            continue
        if isinstance(remote, FileShare | Export):
            # The kernel gets them.
            continue
        is_real = remote is not None
        by_rclone = "they are for blobfuse, and here rclone mounts the container, or bai copies it"
        for key, name in _OPTIONS.items():
            if key in entry:
                yield finding_at(
                    resource,
                    (*at, kind, index, key),
                    "BAI510",
                    f"{name} of the mount {entry['relativeMountPath']!r} "
                    "has no effect on this machine",
                    by_rclone
                    if is_real
                    else "here a mount is a folder, with the permissions that it has",
                )


def check_mounts(resource: Resource, at: WirePath, machine: Machine) -> Iterator[Finding]:
    """Iterate over the mounts at `at` that this machine can't make."""
    seen: list[Volume] = []
    for kind, index, entry in entries(_mounts(resource, at)):
        place, folder = (*at, kind, index), (*at, kind, index, FOLDER_KEYS[kind])
        try:
            found = volume(kind, entry, machine.storage, machine.file_servers)
        except RuntimeFailure as error:
            yield finding_at(resource, folder, "BAI508", str(error))
            continue
        try:
            check_path(found, seen)
        except RuntimeFailure as error:
            yield finding_at(resource, (*place, "relativeMountPath"), "BAI508", str(error))
        seen.append(found)
        if found.folder is None:
            if found.remote and machine.is_far:
                message = f"{found.remote.address} is in a real account, and nodes are far machines"
                hint = "run the job in a context whose engine is local, or mount a folder"
                yield finding_at(resource, folder, "BAI508", message, hint)
            elif found.command and machine.commands == "refuse":
                hint = (
                    "mount it yourself and use file:DIRECTORY; or write "
                    f'unmanaged-mounts = "run" below {machine.engine} in bai.toml to run it here, '
                    "as you"
                )
                yield finding_at(resource, folder, "BAI508", refused_command(found.command), hint)
            elif isinstance(found.remote, Export):
                if why := kernel.obstacle(NFS):
                    yield finding_at(resource, (*place, "fileServer"), "BAI508", *why)
            elif isinstance(found.remote, FileShare):
                if why := smb.obstacle():
                    yield finding_at(resource, folder, "BAI508", *why)
                yield from _check_secret(resource, place, found.remote)
            elif found.remote:
                yield from _check_remote(resource, place, found.remote)
        elif not found.made and not found.folder.is_dir():
            name = repr(found.path)
            if found.folder.exists():
                message = f"{found.folder}, for the mount {name}, is a file"
                hint = "mount the directory that holds it"
            else:
                message = f"there is no directory {found.folder}, for the mount {name}"
                hint = _near(found.folder, folders=True) or "make it, or correct its path"
            yield finding_at(resource, folder, "BAI509", message, hint)


def _check_remote(resource: Resource, place: WirePath, remote: Remote) -> Iterator[Finding]:
    """Iterate over what keeps a container of a real account from being mounted here."""
    account = remote.account
    contained = "containerSettings" in resource.to_wire()["properties"]
    is_copied = why_copied(account, is_contained=contained) is not None
    if (why := obstacle("containers")) and not is_copied:
        hint = f'{why[1]}; or write mount = "copy" in the table of the account in bai.toml'
        yield finding_at(resource, (*place, "containerName"), "BAI508", why[0], hint)
    packages = ["azure.identity"] if account.identity else []
    packages += ["azure.storage.blob"] if is_copied or account.sas is None else []
    if lacking := [name.replace(".", "-") for name in packages if not _has(name)]:
        message = f"the account {account.name} needs a package to be mounted: {lacking[0]}"
        yield finding_at(resource, (*place, "accountName"), "BAI508", message, INSTALL)
    yield from _check_secret(resource, place, remote)


def _check_secret(
    resource: Resource, place: WirePath, remote: Remote | FileShare
) -> Iterator[Finding]:
    """Iterate over what keeps an account from being opened."""
    for reason in missing([remote.secret] if remote.secret else []).values():
        message = f"the account {remote.account.name} can't be opened: {reason}"
        yield finding_at(resource, (*place, "accountName"), "BAI604", message)


def _has(module: str) -> bool:
    """Return whether a module of Azure's is installed."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        # None of the packages that it is in is there.
        return False


def check_real_accounts(resource: Resource, paths: AttemptPaths) -> Iterator[Finding]:
    """Iterate over what a job can't have in real accounts.

    bai itself reads logs and code, and a container of the job has no file shares and exports.
    """
    properties = paths.properties
    if "containerSettings" in properties:
        yield from _check_contained(resource, paths)
    places: list[tuple[str, str | None, WirePath]] = [
        ("logs", properties["stdOutErrPathPrefix"], ("properties", "stdOutErrPathPrefix")),
        ("code", paths.code, ("properties",)),
    ]
    for what, text, at in places:
        try:
            _, mount = paths.locate(text) if text else (None, None)
        except RuntimeFailure:
            # A mount is wrong, which is another finding.
            return
        if mount and mount.folder is None:
            place = mount.remote.address if mount.remote else f"the mount {mount.path!r}"
            yield finding_at(
                resource,
                at,
                "BAI508",
                f"the job has its {what} in {place}, and bai reads them in a folder",
                "have them in a mount of an account that is a folder",
            )


def _check_contained(resource: Resource, paths: AttemptPaths) -> Iterator[Finding]:
    try:
        found = [*paths.cluster_volumes(), *paths.job_volumes()]
    except RuntimeFailure:
        return
    for remote in (each.remote for each in found if each.remote):
        if isinstance(remote, Remote):
            continue
        yield finding_at(
            resource,
            ("properties", "containerSettings", "imageSourceRegistry", "image"),
            "BAI508",
            f"the job runs in a container, and {remote.address} is mounted for jobs without one",
            "add --without-containers, or copy the files into a folder and mount that",
        )


def check_cluster_mounts(job: Resource, cluster: Resource, machine: Machine) -> Iterator[Finding]:
    """Iterate over the mounts of a job's cluster that this machine can't make.

    They stand where the spec declares the cluster, and at the job for one that it does not.
    """
    for finding in check_mounts(cluster, CLUSTER_MOUNTS, machine):
        if finding.span is None:
            message = f"cluster {cluster.id.name}: {finding.message}"
            finding = finding.replaced(span=job.span("properties", "cluster"), message=message)
        yield finding


def check_files(resource: Resource, toolkit: str, paths: AttemptPaths) -> Iterator[Finding]:
    """Iterate over the toolkit's files that are not where the job will look for them.

    Args:
        resource: the job.
        toolkit: the wire key of its toolkit.
        paths: the paths that the job would have.
    """
    if "jobPreparation" in paths.properties:
        # It may well be what brings them.
        return
    code = resource.code
    settings = paths.properties[toolkit]
    for key, what in _FILES.items():
        text = settings.get(key)
        if not text or (code and text.startswith(f"{code.path}/")):
            # The linter looks at the folder that the snapshot will be made of.
            continue
        if complaint := _missing(text, what, paths):
            yield finding_at(resource, ("properties", toolkit, key), "BAI405", *complaint)


def _missing(text: str, what: str, paths: AttemptPaths) -> tuple[str, str] | None:
    """Return message and hint if the file of this path is not there."""
    inputs = {
        f"AZ_BATCHAI_INPUT_{entry['id']}": entry["path"]
        for entry in paths.properties.get("inputDirectories") or ()
    }
    try:
        path, mount = paths.locate(expand(text, inputs))
    except RuntimeFailure:
        # A mount is wrong, which is another finding.
        return None
    if "$" in str(path) or text.startswith("-"):
        return None
    if not path.is_absolute():
        if ".." in path.parts:
            return None
        message = f"there is no {what} {path}: processes start in an empty directory of their own"
        mounts = (entry for _, _, entry in entries(paths.properties.get("mountVolumes") or {}))
        bound = [each for each in mounts if bound_directory(each.get("mountCommand", ""))]
        names = [each["relativeMountPath"] for each in bound]
        return message, mounted_path_hint(str(path), names)
    if path.is_relative_to(paths.folder) or path.is_file():
        return None
    if mount is None and "containerSettings" in paths.properties:
        # It may be in the image.
        return None
    if mount is None:
        return f"there is no {what} {path}", _near(path) or "correct the path, or put it there"
    if mount.folder is None or (not mount.made and not mount.folder.is_dir()):
        return None
    message = f"there is no {what} {path}: the mount {mount.path!r} is {mount.folder}"
    if near := _near(path):
        return message, near
    if mount.address is None:
        return message, "put it there, or correct the path or the mount"
    target = f"{mount.address}/{path.relative_to(mount.folder)}"
    return message, f"put it there: `bai storage cp {path.name} {shlex.quote(target)}`"


def _near(path: Path, *, folders: bool = False) -> str | None:
    """Return a question for what a path most likely stands for, if its folder holds it.

    `folders` leaves out files.
    """
    # Of a path that is wrong in a folder's name, that is the part to correct.
    while not path.parent.is_dir():
        path = path.parent
    try:
        found = [each for each in path.parent.iterdir() if not folders or each.is_dir()]
    except OSError:
        return None
    # Hidden names are no candidates: the state folder is one.
    names = [each.name for each in found if not each.name.startswith(".")]
    # Names that have little more in common than `.py` are not alike.
    near = nearest(path.name, names, cutoff=0.7)
    return f"did you mean {near}?" if near and near != path.name else None


def _mounts(resource: Resource, at: WirePath) -> Wire:
    found: Wire = value_at(resource.to_wire(), at, {})
    return found
