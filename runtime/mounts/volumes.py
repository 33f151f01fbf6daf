"""Volumes: what each mount of a job or cluster shows, a folder or something from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit

from bai.compiler.resources.binds import bound_directory
from bai.runtime.accounts import Accounts
from bai.runtime.errors import LaunchError
from bai.runtime.file_server_settings import FileServers
from bai.runtime.mounts.driver import Commands, Mount
from bai.runtime.mounts.export_remote import Export
from bai.runtime.mounts.remote import Remote, signature
from bai.runtime.mounts.remotes import remote_of
from bai.runtime.mounts.share_remote import FileShare
from bai.runtime.mounts.ways import driver_of

FOLDER_KEYS: Final = {
    "azureFileShares": "azureFileUrl",
    "azureBlobFileSystems": "containerName",
    "fileServers": "sourceDirectory",
    "unmanagedFileSystems": "mountCommand",
}
"""Kind of mount, as in `mountVolumes` -> the key that names its folder."""


@dataclass(frozen=True, slots=True)
class Volume:
    """A folder and where it appears."""

    path: str
    """relativeMountPath: below the mount root."""
    folder: Path | None
    """The folder of this machine; None if it is none, but a mount of something else."""
    made: bool
    """Whether bai makes the folder where it is missing; the user's own folders it does not."""
    address: str | None = None
    """What `bai storage` calls it; None outside of the storage accounts."""
    remote: Remote | FileShare | Export | None = None
    """What is mounted from elsewhere; None for a folder."""
    command: str | None = None
    """The shell line that mounts it; None for all others."""


def entries(wire: Mapping[str, Any]) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    """Iterate over the (kind, index, entry) of a `mountVolumes`."""
    for kind in FOLDER_KEYS:
        for index, entry in enumerate(wire.get(kind) or ()):
            yield kind, index, entry


def volumes(wire: Mapping[str, Any], storage: Accounts, file_servers: FileServers) -> list[Volume]:
    """Return the volumes of a `mountVolumes`.

    Raises:
        LaunchError: a mount path leaves the mount root or overlaps with another one, or a real
            account can't be mounted.
        StorageError: a share's name leads out of its account.
    """
    found: list[Volume] = []
    for kind, _, entry in entries(wire):
        one = volume(kind, entry, storage, file_servers)
        check_path(one, found)
        found.append(one)
    return found


def volume(
    kind: str, entry: Mapping[str, Any], storage: Accounts, file_servers: FileServers
) -> Volume:
    """Return the volume of one entry of a `mountVolumes`.

    Raises:
        LaunchError: a directory outside of its file server, or a real account that can't be
            mounted.
        StorageError: a share's name leads out of its account.
    """
    path = entry["relativeMountPath"]
    match kind:
        case "azureFileShares":
            scheme, name = "azureFile", urlsplit(entry["azureFileUrl"]).path.strip("/")
        case "azureBlobFileSystems":
            scheme, name = "azureBlob", entry["containerName"]
        case "fileServers":
            return _served(entry, file_servers)
        case _:
            command: str = entry["mountCommand"]
            if directory := bound_directory(command):
                return Volume(path, Path(directory), made=False)
            return Volume(path, None, made=False, command=command)
    if remote := remote_of(kind, entry, storage.real):
        return Volume(path, None, made=False, address=remote.address, remote=remote)
    account = entry["accountName"]
    folder, address = storage.folder(scheme, account, name), storage.address(scheme, account, name)
    return Volume(path, folder, made=True, address=address)


def _served(entry: Mapping[str, Any], file_servers: FileServers) -> Volume:
    path: str = entry["relativeMountPath"]
    name: str = entry["fileServer"]["id"].rstrip("/").rsplit("/", 1)[-1]
    below: str = (entry.get("sourceDirectory") or "").strip("/")
    mapped = file_servers.mapped.get(name)
    if mapped and mapped.export:
        if ".." in below.split("/"):
            raise LaunchError(f"the file server's directory {below} leads out of it")
        source = f"{mapped.export.rstrip('/')}/{below}" if below else mapped.export
        remote = Export(source, entry.get("mountOptions") or "")
        return Volume(path, None, made=False, remote=remote)
    base = Path(mapped.folder) if mapped and mapped.folder else file_servers.root / name
    folder = base / below
    if not folder.resolve().is_relative_to(base.resolve()):
        raise LaunchError(f"the file server's directory {folder} leads out of it")
    return Volume(path, folder, made=mapped is None)


def refused_command(command: str) -> str:
    """Return the sentence for a mount command that is not run."""
    return f"this machine does not run the mount command {command!r}"


def check_path(volume: Volume, others: Iterable[Volume]) -> None:
    """Check that a volume does not stand outside the mount root, or inside another one.

    Raises:
        LaunchError: it does.
    """
    path = PurePosixPath(volume.path)
    if not path.parts or path.is_absolute() or ".." in path.parts:
        raise LaunchError(f"the mount path {volume.path!r} leaves the mount root")
    for other in (PurePosixPath(each.path) for each in others):
        if path.is_relative_to(other) or other.is_relative_to(path):
            message = f"the mount paths {other} and {path} overlap: mount them side by side"
            raise LaunchError(message)


def mounts(
    root: Path,
    found: Iterable[Volume],
    secrets: Mapping[str, str] | None = None,
    *,
    is_contained: bool = False,
    commands: Commands = "refuse",
) -> list[Mount]:
    """Return what makes each volume appear at its path below `root`.

    Args:
        root: the mount root.
        found: the volumes.
        secrets: those of real accounts, by the marker of each one's place.
        is_contained: whether they are for a job in a container.
        commands: whether mount commands are run.

    Raises:
        LaunchError: a mount command is refused, or the secret of an account is none of them, or is
            of no use.
    """
    found = list(found)
    if commands == "refuse" and (refused := [each.command for each in found if each.command]):
        raise LaunchError(refused_command(refused[0]))
    return [_mount(root, volume, secrets or {}, is_contained=is_contained) for volume in found]


def _mount(root: Path, volume: Volume, secrets: Mapping[str, str], *, is_contained: bool) -> Mount:
    path = str(root / volume.path)
    # Beside the root, in which a job sees its mounts and nothing else.
    cache = root.with_name(f"{root.name}-cache") / volume.path
    if volume.command:
        return Mount(volume.path, path, volume.command, driver="command", cache=str(cache))
    if (remote := volume.remote) is None:
        return Mount(volume.path, path, str(volume.folder), volume.made)
    if isinstance(remote, Export):
        return remote.mount(volume.path, Path(path))
    if isinstance(remote, FileShare):
        return remote.mount(volume.path, Path(path), cache, secrets)
    return Mount(
        volume.path,
        path,
        remote.url,
        driver=driver_of(remote.account, is_contained=is_contained),
        cache=str(cache),
        secret=signature(remote, secrets),
    )
